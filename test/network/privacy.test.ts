import { randomBytes } from "node:crypto";
import { type Address, type Hash, type Hex, hexToBytes } from "@plinth/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { isConformanceMissing } from "../support/conformance.js";
import { readPaper, rowsOf, sectionOf } from "../support/papers.js";
import { holds } from "../support/secret-search.js";
import { until } from "./network-node.js";
import { creationOf, PrivacyNetwork, STORE_CODE, word } from "./privacy-network.js";

const LIMIT_MS = 120_000;
/** An account for each scenario, so that none depends on the nonces of another. */
const keyOf = (number: number) => `0x${number.toString(16).padStart(64, "4")}` as const;
const DEPLOY = creationOf(STORE_CODE);

/** A public contract that returns its slot 0, or stores its calldata there. */
const PUBLIC_STORE = "0x00000000000000000000000000000000000b0001";
/** Another that calls the first and returns its result. */
const PUBLIC_HOP = "0x00000000000000000000000000000000000b0002";
const PUBLIC_CONTRACTS = {
  [PUBLIC_STORE]: { balance: "0x0", code: STORE_CODE, storage: { [word(0)]: word(42) } },
  [PUBLIC_HOP]: { balance: "0x0", code: asking(PUBLIC_STORE) },
};

let network: PrivacyNetwork;
beforeAll(async () => {
  network = await PrivacyNetwork.start({ network: { alloc: PUBLIC_CONTRACTS } });
}, LIMIT_MS);
afterAll(() => network?.[Symbol.asyncDispose](), LIMIT_MS);

describe("private transactions of three nodes with separate managers", () => {
  it("reach the parties and no other", { timeout: LIMIT_MS }, async () => {
    const key = keyOf(1);
    const deployed = await network.run(0, { nonce: 0, data: DEPLOY, for: [1], key });
    const to = getAddress(deployed.contractAddress);
    const stored = await network.run(0, { nonce: 1, to, data: word(0x5ec2e7), for: [1], key });

    expect([deployed.status, stored.status]).toEqual(["0x1", "0x1"]);
    const group = deployed.privacyGroupId;
    const other = await network.receipt(1, stored.hash);
    expect({ ...other, hash: stored.hash }).toEqual(stored);
    expect(await network.receipt(2, stored.hash)).toBeNull();
    const call = [group, { to, data: "0x" }, "latest"];
    expect(await network.node(0).rpc("priv_call", call)).toBe(word(0x5ec2e7));
    expect(await network.node(1).rpc("priv_call", call)).toBe(word(0x5ec2e7));
    expect(await network.node(2).rpc("priv_call", call)).toBe("0x");
    expect(await network.node(2).rpc("priv_getPrivateTransaction", [stored.hash])).toBeNull();
    expect(await network.node(2).rpc("priv_getLogs", [group, {}])).toEqual([]);
    expect(await network.node(1).rpc("priv_getLogs", [group, {}])).toHaveLength(1);
  });

  it("create a group that all its parties find, with the same root", {
    timeout: LIMIT_MS,
  }, async () => {
    const key = keyOf(20);
    const run = await network.run(0, { nonce: 0, data: DEPLOY, for: [1], key });
    const { hash, privacyGroupId, blockNumber } = run;
    await network.receipt(1, hash);
    const members = [network.manager(0).key, network.manager(1).key];
    const found = await Promise.all(
      [0, 1].map((index) => network.node(index).rpc("priv_findPrivacyGroup", [members])),
    );
    const roots = await Promise.all(
      [0, 1].map((index) => network.root(index, privacyGroupId, blockNumber)),
    );

    const legacy = expect.objectContaining({ privacyGroupId, type: "LEGACY", members });
    expect(found).toEqual([expect.arrayContaining([legacy]), expect.arrayContaining([legacy])]);
    expect(roots[1]).toBe(roots[0]);
    await expect(network.root(2, privacyGroupId)).rejects.toMatchObject({ code: -50100 });
  });

  it("leave the same state with all members of a group", { timeout: LIMIT_MS }, async () => {
    const key = keyOf(2);
    const addresses = network.managers.map((manager) => manager.key);
    const [first, second] = [network.node(0), network.node(1)];
    const group = String(await first.rpc("priv_createPrivacyGroup", [{ addresses, name: "All" }]));
    expect(await second.rpc("priv_findPrivacyGroup", [addresses])).toMatchObject([
      { privacyGroupId: group, name: "All", type: "PANTHEON" },
    ]);
    const { hash } = await network.run(0, { nonce: 0, data: DEPLOY, for: group, key });
    const receipts = await Promise.all([0, 1, 2].map((index) => network.receipt(index, hash)));
    expect(receipts[1]).toEqual(receipts[0]);
    expect(receipts[2]).toEqual(receipts[0]);
    const block = receipts[0]?.blockNumber ?? "";
    const roots = await Promise.all([0, 1, 2].map((index) => network.root(index, group, block)));
    expect(new Set(roots).size).toBe(1);
    expect(await second.rpc("priv_deletePrivacyGroup", [group])).toBe(group);
    await expect(network.root(0, group)).rejects.toMatchObject({
      code: -50100,
      message: "Error finding privacy group",
    });
  });

  it("run in block order, and wait for no nonce", { timeout: LIMIT_MS }, async () => {
    const key = keyOf(3);
    const data = DEPLOY;
    const inOrder = await sendTogether([0, 1], key);
    const swapped = await sendTogether([3, 2], keyOf(3));
    const statuses = async (hashes: readonly Hash[]) =>
      Promise.all(hashes.map(async (hash) => (await network.receipt(0, hash))?.status));

    expect(await statuses(inOrder)).toEqual(["0x1", "0x1"]);
    expect(await statuses(swapped)).toEqual(["0x0", "0x1"]);

    async function sendTogether(nonces: readonly number[], key: `0x${string}`) {
      const hashes: Hash[] = [];
      for (const nonce of nonces) {
        hashes.push(await network.send(0, { nonce, data, for: [1], key }));
      }
      return hashes;
    }
  });

  it("leave the nonce unchanged when they revert", { timeout: LIMIT_MS }, async () => {
    const key = keyOf(4);
    // Reverts with the word 7.
    const reverting = "0x600760005260206000fd";
    const failed = await network.run(0, { nonce: 0, data: reverting, for: [1], key });
    const retried = await network.run(0, { nonce: 0, data: DEPLOY, for: [1], key });

    expect(failed).toMatchObject({ status: "0x0", output: "0x", revertReason: word(7) });
    const marker = await network.node(0).rpc("eth_getTransactionReceipt", [failed.hash]);
    expect(marker).toMatchObject({ status: "0x1", logs: [] });
    expect(retried.status).toBe("0x1");
    const status = await network.node(0).rpc("plinth_privateTransactionStatus", [failed.hash]);
    expect(status).toMatchObject({ status: "failed", reason: "reverted" });
  });

  it("read public contracts, through others as well, and cannot write to them", {
    timeout: LIMIT_MS,
  }, async () => {
    const key = keyOf(5);
    const [near, far, writer] = [asking(PUBLIC_STORE), asking(PUBLIC_HOP), telling(PUBLIC_STORE)];
    const addresses: Address[] = [];
    for (const [nonce, code] of [near, far, writer].entries()) {
      const data = creationOf(code);
      const { contractAddress } = await network.run(0, { nonce, data, for: [1], key });
      addresses.push(getAddress(contractAddress));
    }
    const outputs: (readonly string[])[] = [];
    for (const [index, to] of addresses.entries()) {
      const { hash } = await network.run(0, { nonce: 3 + index, to, data: "0x", for: [1], key });
      const receipts = [await network.receipt(0, hash), await network.receipt(1, hash)];
      outputs.push(receipts.map((receipt) => `${receipt?.status} ${receipt?.output}`));
    }

    const read = `0x1 ${word(42)}`;
    // The private transaction continues: only its call failed, and returned nothing.
    const refused = `0x1 ${word(0)}`;
    expect(outputs).toEqual([
      [read, read],
      [read, read],
      [refused, refused],
    ]);
    const slot = [PUBLIC_STORE, "0x0", "latest"];
    expect(await network.node(1).rpc("eth_getStorageAt", slot)).toBe(word(42));
  });

  it("are rejected if a recipient is unknown or down", { timeout: LIMIT_MS }, async () => {
    const key = keyOf(6);
    await network.manager(2).stop("SIGKILL");
    await expect(network.send(0, { nonce: 0, data: DEPLOY, for: [2], key })).rejects.toMatchObject({
      code: -50100,
      message: "Error communicating with enclave",
    });
    await expect(network.send(0, { nonce: 0, data: DEPLOY, for: [2], key })).rejects.toMatchObject({
      code: -50200,
      message: "Recipient not found for key:",
    });
    expect(await network.node(0).rpc("txpool_besuTransactions", [])).toEqual([]);
    await network.manager(2).start();
    await network.managersMet();
  });

  it("wait for a manager that is down, while the chain continues", {
    timeout: LIMIT_MS,
  }, async () => {
    const key = keyOf(7);
    const { hash, privacyGroupId: group } = await network.run(0, {
      nonce: 0,
      data: DEPLOY,
      for: [1],
      key,
    });
    await network.receipt(1, hash);
    const next = await network.send(0, { nonce: 1, data: DEPLOY, for: [1], key });
    await network.manager(1).stop("SIGKILL");
    await network.mined(1, next);
    await until(async () => (await waitingAt(1)) !== undefined, LIMIT_MS);
    const height = await network.node(1).height();
    await until(async () => (await network.node(1).height()) > height + 1, LIMIT_MS);
    const count = ["0xfe3b557e8fb62b89f4916b721be55ceb828dbd73", group];
    await expect(network.node(1).rpc("priv_getTransactionCount", count)).rejects.toMatchObject({
      message: expect.stringContaining(network.manager(1).nodeUrl),
    });
    await expect(network.node(1).rpc("priv_getTransactionReceipt", [next])).rejects.toMatchObject({
      code: -50100,
      message: expect.stringContaining(network.manager(1).nodeUrl),
    });

    await network.manager(1).start();
    expect(await network.receipt(1, next)).toMatchObject({ status: "0x1" });
    expect(await waitingAt(1)).toBeUndefined();
    await network.managersMet();
    const block = (await network.receipt(0, next))?.blockNumber ?? "";
    const [own, others] = await Promise.all([rootBy(0), rootBy(1)]);
    expect(own).toBe(others);

    async function rootBy(index: number) {
      const code = [group, "0x00000000000000000000000000000000000000aa", block];
      await network.node(index).rpc("priv_getCode", code);
      return network.node(index).rpc("priv_getTransactionCount", count);
    }
    async function waitingAt(index: number) {
      const status = await network.node(index).rpc("plinth_privacyStatus");
      return (status as { waiting?: unknown }).waiting;
    }
  });

  it("have no effect on a node without privacy, which has every block", {
    timeout: LIMIT_MS,
  }, async () => {
    const [first, plain] = [network.node(0), network.node(3)];
    const head = await first.rpc("eth_getBlockByNumber", ["latest", false]);
    const { number, hash } = head as { number: string; hash: string };
    await until(async () => (await plain.height()) >= Number(number), LIMIT_MS);
    const same = await plain.rpc("eth_getBlockByNumber", [number, false]);
    expect(same).toMatchObject({ hash });
    await expect(plain.rpc("priv_getLogs", ["", {}])).rejects.toMatchObject({ code: -50100 });
  });

  it.skipIf(isConformanceMissing)(
    "can be queried by every method, over HTTP and WebSocket",
    {
      timeout: LIMIT_MS,
    },
    async () => {
      const seed = readPaper("seed.md");
      const methods = ["### EEA methods", "### PRIV methods"].flatMap((title) =>
        rowsOf(sectionOf(seed, title)).map(([name]) => name ?? ""),
      );
      expect(methods).toHaveLength(18);
      const { http, ws } = network.node(0).urls;
      const socket = new WebSocket(ws);
      await new Promise((resolve) => socket.once("open", resolve));
      try {
        for (const method of methods) {
          const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] });
          const response = await fetch(http, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body,
          });
          const overHttp = await response.json();
          const overWs = await new Promise<unknown>((resolve) => {
            socket.once("message", (text) => resolve(JSON.parse(String(text))));
            socket.send(body);
          });
          expect(overWs, method).toEqual(overHttp);
          const code = Object(overHttp).error?.code ?? "a result";
          expect(method === "priv_getPrivacyPrecompileAddress" ? "a result" : -32602).toBe(code);
        }
      } finally {
        socket.close();
      }
    },
  );

  it("produce the same state on a node that starts over", { timeout: LIMIT_MS }, async () => {
    const key = keyOf(12);
    const { hash, privacyGroupId: group } = await network.run(0, {
      nonce: 0,
      data: DEPLOY,
      for: [1],
      key,
    });
    const receipt = await network.receipt(1, hash);
    const node = network.node(1);
    const logs = await node.rpc("priv_getLogs", [group, {}]);
    await node.kill();
    node.wipe();
    await node.start();

    expect(await network.receipt(1, hash)).toEqual(receipt);
    const range = { fromBlock: "earliest", toBlock: receipt?.blockNumber };
    expect(await node.rpc("priv_getLogs", [group, range])).toEqual(logs);
  });

  it("are pushed to subscribers of the group's logs", { timeout: LIMIT_MS }, async () => {
    const key = keyOf(11);
    const deployed = await network.run(0, { nonce: 0, data: DEPLOY, for: [1], key });
    const to = getAddress(deployed.contractAddress);
    const group = deployed.privacyGroupId;
    const socket = new WebSocket(network.node(1).urls.ws);
    const messages: { method?: string; result?: unknown; params?: { result: object } }[] = [];
    socket.on("message", (text) => messages.push(JSON.parse(String(text))));
    await new Promise((resolve) => socket.once("open", resolve));
    try {
      const params = [group, "logs", { address: to }];
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "priv_subscribe", params }));
      await until(async () => messages.length === 1, LIMIT_MS);
      await network.run(0, { nonce: 1, to, data: word(77), for: [1], key });
      await until(async () => messages.length === 2, LIMIT_MS);

      expect(messages[1]).toMatchObject({
        method: "priv_subscription",
        params: {
          subscription: messages[0]?.result,
          privacyGroupId: group,
          result: { address: to, data: word(77), removed: false },
        },
      });
    } finally {
      socket.close();
    }
  });
});

describe("code that never ends", () => {
  it(
    "blocks its group, but neither the chain nor other groups",
    async () => {
      const addresses = [0, 1].map((index) => network.manager(index).key);
      const made = await network.node(0).rpc("priv_createPrivacyGroup", [{ addresses }]);
      const group = String(made);
      // JUMPDEST, PUSH 0, JUMP.
      const endless = { nonce: 0, data: "0x5b600056", for: group, key: keyOf(9) } as const;
      const hash = await network.send(0, endless);
      await until(async () => (await heldBy(0)).includes(hash), LIMIT_MS);

      const height = await network.node(0).height();
      const other = await network.run(0, { nonce: 0, data: DEPLOY, for: [2], key: keyOf(10) });
      expect(other.status).toBe("0x1");
      await until(async () => (await network.node(0).height()) > height + 1, LIMIT_MS);
      const status = await network.node(0).rpc("plinth_privateTransactionStatus", [hash]);
      expect(status).toMatchObject({
        status: "delivered",
        reason: expect.stringContaining("--privacy-gas-cap"),
      });

      async function heldBy(index: number): Promise<readonly string[]> {
        const { groups } = (await network.node(index).rpc("plinth_privacyStatus")) as {
          groups: readonly { readonly held?: { readonly marker: string } }[];
        };
        return groups.flatMap(({ held }) => held?.marker ?? []);
      }
    },
    LIMIT_MS,
  );
});

describe("what is private to two nodes", () => {
  it("is not in the data, the logs or the traffic of the third", {
    timeout: LIMIT_MS,
  }, async () => {
    const key = keyOf(8);
    const secret = randomBytes(48);
    const data = `${DEPLOY}${secret.toString("hex")}` as const;
    const { status, hash } = await network.run(0, { nonce: 0, data, for: [1], key });
    expect(status).toBe("0x1");
    await network.receipt(1, hash);
    await network.mined(2, hash);
    const wire = network.wireOfThird();
    const [member, third] = [await network.endAndRead(1), await network.endAndRead(2)];

    const keys = [0, 1].map((index) => network.manager(index).privateKey);
    for (const one of [secret, ...keys]) {
      expect([holds(third, one), holds(wire, one)]).toEqual([false, false]);
    }
    // The search does find existing data: the payload with a member, the marker with all, and party
    // info in the traffic.
    expect(holds(member, secret)).toBe(true);
    expect(holds(third, hexToBytes(hash))).toBe(true);
    expect(wire.includes("/partyinfo")).toBe(true);
  });
});

/** Code that calls a contract without data and returns the resulting word. */
function asking(address: Address): Hex {
  return `0x6020600060006000600073${address.slice(2)}5af15060206000f3`;
}

/** Code that calls a contract with the word 0 and returns the length of the result: nothing. */
function telling(address: Address): Hex {
  return `0x6000600060206000600073${address.slice(2)}5af1503d60005260206000f3`;
}

function getAddress(address: Address | null | undefined): Address {
  if (address === null || address === undefined) throw new Error("no contract was created");
  return address;
}
