import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Address,
  definePlugin,
  type Hex,
  hexToBytes,
  option,
  toHex,
  yieldToLoop,
} from "@plinth/core";
import { contractAddress } from "@plinth/core/blocks";
import { EnclaveError } from "@plinth/kit-enclave";
import enclave from "@plinth/plugin-enclave";
import { enclave as enclaveService } from "@plinth/plugin-enclave/api";
import enclaveTessera from "@plinth/plugin-enclave-tessera";
import privacy from "@plinth/plugin-privacy";
import {
  encodeAddition,
  encodeRemoval,
  type PrivacyNode,
  privacy as privacyService,
  signPrivateTransaction,
} from "@plinth/plugin-privacy/api";
import rpcEea from "@plinth/plugin-rpc-eea";
import rpcPriv from "@plinth/plugin-rpc-priv";
import { ALICE, createTestNode, DEV_GENESIS, MAX_SLICE_MS, measureSlices } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const KEY: Hex = "0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63";
const SENDER = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const EMPTY_ROOT = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
/** Returns its slot 0, or stores its calldata there and logs it. */
const STORE = creationOf("36600f5760005460005260206000f35b6000358060005560005260206000a000");
/** Reverts with the word 7. */
const REVERTS: Hex = "0x600760005260206000fd";
/** JUMPDEST, PUSH 0, JUMP. */
const ENDLESS: Hex = "0x5b600056";
/** Stores 1 in slot 0, creates a contract whose creation fails, stores 2 in slot 1. */
const CATCHES = creationOf("600160005560fe600053600160006000f050600260015500");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-private-"));
  await using node = await createTestNode({ plugins: [enclave] });
  for (const name of ["a", "b"]) {
    await node.command("enclave keygen", { flags: { to: join(folder, name) } });
  }
});
afterAll(() => rm(folder, { recursive: true }));

describe("private transactions of a node with an embedded manager", () => {
  it("run, return results and are found by the hash of their marker", async () => {
    await using site = await openSite();
    const deployed = await site.run({ nonce: 0, data: STORE });
    const to = deployed.contractAddress;
    const stored = await site.run({ nonce: 1, to, data: word(42) });

    expect(deployed).toMatchObject({ status: "0x1", from: SENDER, to: null });
    expect(stored).toMatchObject({ status: "0x1", to, contractAddress: null });
    expect(stored.logs).toMatchObject([{ address: to, data: word(42), logIndex: "0x0" }]);
    const group = deployed.privacyGroupId;
    const found = await site.rpc("priv_getPrivateTransaction", [stored.commitmentHash]);
    expect(found).toMatchObject({ from: SENDER, hash: stored.commitmentHash, privateFor: [] });
    expect(await site.rpc("priv_getTransactionCount", [SENDER, group])).toBe("0x2");
    expect(await site.rpc("priv_getEeaTransactionCount", [SENDER, site.keys[0], []])).toBe("0x2");
    expect(await site.rpc("priv_call", [group, { to, data: "0x" }, "latest"])).toBe(word(42));
    expect(await site.rpc("priv_getCode", [group, to, "latest"])).toBe(deployed.output);
    expect(await site.rpc("eth_getCode", [to, "latest"])).toBe("0x");
    expect(await site.rpc("priv_traceTransaction", [group, stored.commitmentHash])).toMatchObject([
      { type: "call", action: { from: SENDER, to }, transactionHash: stored.commitmentHash },
    ]);
    const steps = await site.rpc("priv_debugTraceTransaction", [
      stored.commitmentHash,
      { enableMemory: true },
    ]);
    expect(steps).toMatchObject({ failed: false, returnValue: "0x", isCut: false });
    const { structLogs } = steps as { structLogs: { op: string; stack: string[] }[] };
    expect(structLogs.map(({ op }) => op).join(" ")).toBe(
      "CALLDATASIZE PUSH1 JUMPI JUMPDEST PUSH1 CALLDATALOAD DUP1 PUSH1 SSTORE PUSH1 MSTORE PUSH1 PUSH1 LOG0 STOP",
    );
    expect(structLogs[8]).toMatchObject({ op: "SSTORE", depth: 1, stack: ["0x2a", "0x2a", "0x0"] });
    expect(structLogs[11]).toMatchObject({ memory: [word(42)] });
    expect(await site.status(stored.commitmentHash)).toMatchObject({ status: "executed" });
  });

  it("have logs in the blocks of tags", async () => {
    await using site = await openSite();
    const { contractAddress: to, privacyGroupId: group } = await site.run({
      nonce: 0,
      data: STORE,
    });
    await site.run({ nonce: 1, to, data: word(1) });
    await site.run({ nonce: 2, to, data: word(2) });
    const found = async (filter: object) => {
      const logs = (await site.rpc("priv_getLogs", [group, filter])) as { data: Hex }[];
      return logs.map(({ data }) => Number(data));
    };

    expect(await found({})).toEqual([1, 2]);
    expect(await found({ fromBlock: "earliest" })).toEqual([1, 2]);
    expect(await found({ fromBlock: "latest" })).toEqual([2]);
    expect(await found({ toBlock: "earliest" })).toEqual([]);
    expect(await found({ fromBlock: "0x1", toBlock: "latest" })).toEqual([1, 2]);
  });

  it("are simulated with the gas of a call, and without a recipient", async () => {
    await using site = await openSite();
    const { privacyGroupId: group, output } = await site.run({ nonce: 0, data: STORE });
    const tryOut = (call: object) => site.rpc("priv_call", [group, call, "latest"]);

    expect(await tryOut({ from: SENDER, data: STORE })).toBe(output);
    await expect(tryOut({ from: SENDER, data: STORE, gas: "0x10" })).rejects.toMatchObject({
      code: -50100,
      message: "Private transaction failed",
    });
  });

  it("are undone and redone with their block", async () => {
    await using site = await openSite();
    const { privacyGroupId: group } = await site.run({ nonce: 0, data: STORE });
    const root = await site.rpc("priv_debugGetStateRoot", [group, "latest"]);

    await site.node.reorganize(1, [], []);
    const undone = await site.rpc("priv_debugGetStateRoot", [group, "latest"]);
    // The marker waits in the pool.
    await site.node.mine([]);
    const again = await site.rpc("priv_debugGetStateRoot", [group, "latest"]);

    expect(undone).toBe(EMPTY_ROOT);
    expect(again).toBe(root);
  });

  it("see the public state as of their position in the block", async () => {
    await using site = await openSite();
    // Returns its slot 0, or stores its calldata there.
    const data = creationOf("36600f5760005460005260206000f35b60003560005500");
    await site.node.mine([{ data, gasLimit: 200_000n }]);
    const target = contractAddress({ sender: ALICE.address, nonce: 0n });
    // Calls the public contract for its slot 0 and returns it.
    const reader = creationOf(`602060006000600073${target.slice(2)}5afa5060206000f3`);
    const { contractAddress: to } = await site.run({ nonce: 0, data: reader });
    // From now on blocks are produced on request.
    await site.node.mine([]);
    await site.node.reorganize(1, [], []);

    const marker = await site.send({ nonce: 1, to, data: "0x" });
    const store = { to: target, data: word(9), gasLimit: 100_000n, gasPrice: 10n };
    await site.node.mine([store]);

    const mined = (await site.mined(marker)) as { transactionIndex?: Hex };
    expect(mined.transactionIndex).toBe("0x1");
    const receipt = await site.rpc("priv_getTransactionReceipt", [marker]);
    expect(receipt).toMatchObject({ status: "0x1", output: word(9) });
  });

  it("see the fee recipient of a block with nothing but markers", async () => {
    await using site = await openSite();
    await site.run({ nonce: 0, data: STORE });
    // Stores the balance of the fee recipient.
    const { status } = await site.run({ nonce: 1, data: "0x4131600155" });

    expect(status).toBe("0x1");
  });

  it("survive a restart", async () => {
    await using site = await openSite();
    const { privacyGroupId: group } = await site.run({ nonce: 0, data: STORE });
    const root = await site.rpc("priv_debugGetStateRoot", [group, "latest"]);

    await site.node.restart();

    expect(await site.rpc("priv_debugGetStateRoot", [group, "latest"])).toBe(root);
    expect(await site.run({ nonce: 1, data: STORE })).toMatchObject({ status: "0x1" });
  });

  it("run again from their payloads, also if the node is stopped meanwhile", async () => {
    await using site = await openSite();
    const { contractAddress: to, privacyGroupId: group } = await site.run({
      nonce: 0,
      data: STORE,
    });
    const receipts = [
      await site.run({ nonce: 1, to, data: word(1) }),
      await site.run({ nonce: 0, data: STORE, for: [site.keys[1] ?? ""] }),
      await site.run({ nonce: 9, to, data: word(9) }),
      await site.run({ nonce: 2, to, data: word(2) }),
    ];
    const read = async () => ({
      root: await site.rpc("priv_debugGetStateRoot", [group, "latest"]),
      receipts: await Promise.all(
        receipts.map(({ commitmentHash: hash }) => site.rpc("priv_getTransactionReceipt", [hash])),
      ),
      logs: await site.rpc("priv_getLogs", [group, {}]),
    });
    const before = await read();
    const until = await site.rpc("eth_blockNumber");
    const filter = await site.rpc("priv_newFilter", [group, {}]);

    expect(await site.rpc("admin_rebuildPrivacy", [group])).toEqual({ until, left: [] });
    expect(await read()).toEqual(before);
    // An unchanged result is not reported.
    expect(await site.rpc("priv_getFilterChanges", [group, filter])).toEqual([]);
    expect(await site.rpc("admin_rebuildPrivacy")).toEqual({ until, left: [] });
    await site.node.restart();

    expect(await read()).toEqual(before);
    expect(receipts.map(({ status }) => status)).toEqual(["0x1", "0x1", "0x0", "0x1"]);
    expect(await site.rpc("plinth_privacyStatus")).not.toHaveProperty("runsAgainUntil");
  });

  it("that arrive after their markers run in the position of the markers", async () => {
    const lost = new Set<string>();
    const fault = losing(lost);
    await using site = await openSite({}, {}, [fault.plugin]);
    const { contractAddress: to, privacyGroupId: group } = await site.run({
      nonce: 0,
      data: STORE,
    });
    fault.isOn = true;
    const missed = await site.send({ nonce: 1, to, data: word(7) });
    await site.mined(missed);
    await expect.poll(() => site.status(missed)).toMatchObject({ status: "not a party" });
    fault.isOn = false;
    const failed = await site.run({ nonce: 2, to, data: word(8) });
    expect(failed.status).toBe("0x0");

    lost.clear();
    expect(await fault.node().late.check()).toBe(true);

    for (const hash of [missed, failed.commitmentHash]) {
      expect(await site.rpc("priv_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
    }
    expect(await site.rpc("priv_getTransactionCount", [SENDER, group])).toBe("0x3");
    expect(await site.rpc("priv_call", [group, { to, data: "0x" }, "latest"])).toBe(word(8));
    expect(await fault.node().late.check()).toBe(false);
  });

  it("are not run again if the manager has lost what has run, unless requested", async () => {
    const lost = new Set<string>();
    const fault = losing(lost);
    await using site = await openSite({}, {}, [fault.plugin]);
    const { contractAddress: to, privacyGroupId: group } = await site.run({
      nonce: 0,
      data: STORE,
    });
    const other = await site.run({ nonce: 0, data: STORE, for: [site.keys[1] ?? ""] });
    fault.isOn = true;
    const marker = await site.send({ nonce: 1, to, data: word(7) });
    const [payload] = [...lost];
    lost.clear();
    await site.mined(marker);
    const receipt = await site.rpc("priv_getTransactionReceipt", [marker]);
    lost.add(payload ?? "");
    const until = await site.rpc("eth_blockNumber");
    const reason = `its manager lacks 1 executed payloads, the first of ${marker} in block ${Number(until)}`;
    const left = [{ privacyGroupId: group, reason }];

    expect(await site.rpc("admin_rebuildPrivacy", [group])).toEqual({ left });
    expect(await site.rpc("admin_rebuildPrivacy")).toEqual({ until, left });
    expect(await site.rpc("priv_getTransactionCount", [SENDER, other.privacyGroupId])).toBe("0x1");
    expect(await site.rpc("priv_getTransactionCount", [SENDER, group])).toBe("0x2");
    lost.clear();
    expect(await site.rpc("priv_getTransactionReceipt", [marker])).toEqual(receipt);
    lost.add(payload ?? "");
    expect(await site.rpc("admin_rebuildPrivacy", [group, true])).toEqual({ until, left: [] });
    expect(await site.rpc("priv_getTransactionCount", [SENDER, group])).toBe("0x1");
  });

  it("of a group that the manager has lost report it, and run when it is known again", async () => {
    const fault = losing(new Set());
    await using site = await openSite({}, {}, [fault.plugin]);
    const group = (await site.rpc("priv_createPrivacyGroup", [{ addresses: site.keys }])) as string;
    const { contractAddress: to } = await site.run({ nonce: 0, data: STORE, group });
    const raw = site.sign({ nonce: 1, to, data: word(7), group });
    fault.sent = () => {
      fault.losesGroups = true;
    };
    const hash = await site.sendRaw(raw);
    await site.mined(hash);

    const reason = "payload for a group unknown to this manager";
    await expect.poll(() => site.status(hash)).toMatchObject({ status: "failed", reason });
    expect(await site.rpc("priv_getTransactionReceipt", [hash])).toMatchObject({
      status: "0x0",
      failure: reason,
    });
    expect(await fault.node().late.check()).toBe(false);
    const unknown = { privacyGroupId: group, markers: 1 };
    expect(await site.rpc("plinth_privacyStatus")).toMatchObject({ unknownGroups: [unknown] });

    fault.losesGroups = false;
    expect(await fault.node().late.check()).toBe(true);

    expect(await site.rpc("priv_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
    expect(await site.rpc("priv_call", [group, { to, data: "0x" }, "latest"])).toBe(word(7));
    expect(await site.rpc("plinth_privacyStatus")).toMatchObject({ unknownGroups: [] });
  });

  it("of a deleted group run again with the others", async () => {
    await using site = await openSite();
    const group = (await site.rpc("priv_createPrivacyGroup", [{ addresses: site.keys }])) as string;
    const { contractAddress: to } = await site.run({ nonce: 0, data: STORE, group });
    const { commitmentHash: hash } = await site.run({ nonce: 1, to, data: word(7), group });
    await site.rpc("priv_deletePrivacyGroup", [group]);

    await site.rpc("admin_rebuildPrivacy");

    expect(await site.rpc("priv_getTransactionReceipt", [hash])).toMatchObject({ status: "0x1" });
    expect(await site.rpc("priv_call", [group, { to, data: "0x" }, "latest"])).toBe(word(7));
    expect(await site.rpc("plinth_privacyStatus")).toMatchObject({ unknownGroups: [] });
  });

  it("fail without a trace, unless the nonce always increments", async () => {
    await using plain = await openSite();
    await using moving = await openSite({ privacyNonceAlwaysIncrements: true });

    for (const [site, nonce] of [
      [plain, "0x0"],
      [moving, "0x1"],
    ] as const) {
      const failed = await site.run({ nonce: 0, data: REVERTS });
      expect(failed).toMatchObject({ status: "0x0", output: "0x", revertReason: word(7) });
      const count = [SENDER, failed.privacyGroupId];
      expect(await site.rpc("priv_getTransactionCount", count)).toBe(nonce);
    }
  });

  it("end if gas is capped", async () => {
    await using site = await openSite({ privacyGasCap: 1_000_000n });

    expect(await site.run({ nonce: 0, data: ENDLESS })).toMatchObject({ status: "0x0" });
    expect(await site.run({ nonce: 0, data: STORE })).toMatchObject({ status: "0x1" });
  });

  it("revert what others did when a frame fails, as in Besu, unless the genesis file overrides it", async () => {
    await using besu = await openSite();
    await using ordinary = await openSite({}, { nestedFailures: "ordinary" });

    const counts = [];
    for (const site of [besu, ordinary]) {
      const { contractAddress: to } = await site.run({ nonce: 0, data: CATCHES });
      const { privacyGroupId, status } = await site.run({ nonce: 1, to, data: "0x" });
      const count = await site.rpc("priv_getTransactionCount", [SENDER, privacyGroupId]);
      counts.push([status, count]);
    }

    expect(counts).toEqual([
      ["0x1", "0x1"],
      ["0x1", "0x2"],
    ]);
  });

  it("have markers with separate nonces, however many arrive at once", async () => {
    const markerKey = join(folder, "marker");
    await writeFile(markerKey, `0x${"11".repeat(32)}\n`);
    await using site = await openSite({ privacyMarkerTransactionSigningKeyFile: markerKey });
    const nonces = Array.from({ length: 20 }, (_, nonce) => nonce);

    const hashes = await Promise.all(nonces.map((nonce) => site.send({ nonce, data: STORE })));
    const markers = await Promise.all(hashes.map((hash) => site.mined(hash)));

    expect(new Set(markers.map(({ nonce }) => nonce)).size).toBe(20);
    expect(new Set(markers.map(({ from }) => from)).size).toBe(1);
  });

  it("wait for a block if the pool has the maximum number of the node's markers", async () => {
    const markerKey = join(folder, "marker");
    await writeFile(markerKey, `0x${"11".repeat(32)}\n`);
    await using site = await openSite({
      privacyMarkerTransactionSigningKeyFile: markerKey,
      txPoolMaxFutureBySender: 2,
    });
    // From now on blocks are produced on request.
    await site.node.mine([]);
    await site.node.reorganize(1, [], []);
    const sent: Hex[] = [];
    const sending = [0, 1, 2, 3, 4, 5].map(async (nonce) => {
      sent.push(await site.send({ nonce, data: STORE }));
    });
    await expect.poll(() => sent.length).toBe(3);

    while (sent.length < sending.length) {
      await site.node.mine([]);
      // Markers are signed in separate turns.
      await yieldToLoop();
    }

    await Promise.all(sending);
    await site.node.mine([]);
    const markers = await Promise.all(sent.map((hash) => site.mined(hash)));
    expect(new Set(markers.map(({ nonce }) => nonce)).size).toBe(6);
  });

  it("of many callers, some with megabytes, block the event loop only briefly", async () => {
    await using site = await openSite();
    const megabytes = `0x${"ab".repeat(2_000_000)}` as const;
    const raws = Array.from({ length: 100 }, (_, nonce) => site.sign({ nonce, data: STORE }));
    raws.push(...[200, 201, 202].map((nonce) => site.sign({ nonce, data: megabytes })));
    await site.sendRaw(raws[0] as Hex);

    const slices = await measureSlices(async () => {
      const sending: Promise<Hex>[] = [];
      for (const raw of raws.slice(1)) {
        sending.push(site.sendRaw(raw));
        // Like listeners, which read one request per turn.
        await yieldToLoop();
      }
      await Promise.all(sending);
    });

    expect(slices[0]).toBeLessThan(MAX_SLICE_MS);
  });
});

describe("filters for private logs", () => {
  it("collect new logs, and belong to their group", async () => {
    await using site = await openSite();
    const { contractAddress: to, privacyGroupId: group } = await site.run({
      nonce: 0,
      data: STORE,
    });
    const other = Buffer.alloc(32, 7).toString("base64");
    const id = await site.rpc("priv_newFilter", [group, { address: to }]);
    await site.run({ nonce: 1, to, data: word(1) });

    const logs = await site.rpc("priv_getFilterChanges", [group, id]);

    expect(logs).toMatchObject([{ address: to, data: word(1) }]);
    expect(await site.rpc("priv_getFilterChanges", [group, id])).toEqual([]);
    expect(await site.rpc("priv_getFilterLogs", [group, id])).toEqual(logs);
    await expect(site.rpc("priv_getFilterChanges", [other, id])).rejects.toMatchObject({
      code: -32000,
      message: "Filter not found",
    });
    expect(await site.rpc("priv_uninstallFilter", [other, id])).toBe(false);
    expect(await site.rpc("priv_uninstallFilter", [group, id])).toBe(true);
    await expect(site.rpc("priv_getFilterLogs", [group, id])).rejects.toMatchObject({
      message: "Logs filter not found",
    });
  });

  it("collect new logs if private transactions run again, but not those already collected", async () => {
    await using site = await openSite();
    const { contractAddress: to, privacyGroupId: group } = await site.run({
      nonce: 0,
      data: STORE,
    });
    const id = await site.rpc("priv_newFilter", [group, {}]);
    const changes = () => site.rpc("priv_getFilterChanges", [group, id]);
    await site.run({ nonce: 1, to, data: word(5) });
    expect(await changes()).toMatchObject([{ data: word(5) }]);

    await site.rpc("admin_rebuildPrivacy");
    expect(await site.run({ nonce: 2, to, data: word(6) })).toMatchObject({ status: "0x1" });

    expect(await changes()).toMatchObject([{ data: word(6) }]);
  });

  it("report that logs of a removed block are removed", async () => {
    await using site = await openSite();
    const { contractAddress: to, privacyGroupId: group } = await site.run({
      nonce: 0,
      data: STORE,
    });
    const id = await site.rpc("priv_newFilter", [group, {}]);
    await site.run({ nonce: 1, to, data: word(1) });
    await site.rpc("priv_getFilterChanges", [group, id]);

    await site.node.reorganize(1, [], []);

    expect(await site.rpc("priv_getFilterChanges", [group, id])).toMatchObject([
      { data: word(1), removed: true },
    ]);
  });
});

describe("a private transaction is rejected", () => {
  it.each<[string, Partial<Message>, number, string]>([
    [
      "with a value",
      { value: 1n },
      -50100,
      "We cannot transfer ether in a private transaction yet.",
    ],
    ["for another chain", { chainId: 5n }, -32000, "Wrong chainId"],
    ["with an old nonce", { nonce: 0 }, -32001, "Nonce too low"],
    [
      "that is unrestricted",
      { restriction: "unrestricted" },
      -50100,
      "Unsupported private transaction type",
    ],
    [
      "from another key",
      { privateFrom: new Uint8Array(32) },
      -50100,
      "Private from does not match enclave public key",
    ],
    [
      "for an unknown group",
      { group: Buffer.alloc(32, 7).toString("base64") },
      -50100,
      "Error communicating with enclave",
    ],
    [
      "for a key without a manager",
      { for: [Buffer.alloc(32, 9).toString("base64")] },
      -50200,
      "Recipient not found for key:",
    ],
    [
      "with too little gas for its marker",
      { gasLimit: 21_000n },
      -50100,
      "Privacy Marker Transaction failed due to intrinsic gas exceeding the limit. Gas limit used from the Private Transaction.",
    ],
  ])("%s", async (_, message, code, text) => {
    await using site = await openSite();
    await site.run({ nonce: 0, data: STORE });

    await expect(site.send({ nonce: 1, data: STORE, ...message })).rejects.toMatchObject({
      code,
      message: text,
    });
  });

  it.each([
    ["eea_sendRawTransaction", "We cannot transfer ether in a private transaction yet."],
    ["priv_distributeRawTransaction", "Error communicating with enclave"],
  ])("for the fault that Besu finds first if there are two, by %s", async (method, message) => {
    await using site = await openSite();
    const group = Buffer.alloc(32, 7).toString("base64");
    const raw = site.sign({ nonce: 0, data: STORE, group, value: 1n });

    await expect(site.rpc(method, [raw])).rejects.toMatchObject({ code: -50100, message });
  });

  it.each(["eea_sendRawTransaction", "priv_distributeRawTransaction"])(
    "that cannot be decoded, by %s",
    async (method) => {
      await using site = await openSite();

      for (const raw of ["0x", "zz", "0xdeadbeef", "0xc0"]) {
        await expect(site.rpc(method, [raw])).rejects.toMatchObject({
          code: -50100,
          message: "Unable to decode the private signed raw transaction",
        });
      }
      await expect(site.rpc(method, [null])).rejects.toMatchObject({ code: -32602 });
    },
  );

  it("to run again or to be compared while flexible groups are enabled", async () => {
    await using site = await openSite({ privacyFlexibleGroupsEnabled: true });

    for (const method of ["admin_rebuildPrivacy", "plinth_verifyPrivacy"]) {
      await expect(site.rpc(method)).rejects.toMatchObject({
        code: -50100,
        message: expect.stringContaining("neither compared nor re-executed"),
      });
    }
  });

  it("that contains parties while flexible groups are enabled", async () => {
    await using site = await openSite({ privacyFlexibleGroupsEnabled: true });

    expect(await site.rpc("priv_getPrivacyPrecompileAddress")).toMatch(/7d$/);
    await expect(site.send({ nonce: 0, data: STORE })).rejects.toMatchObject({
      code: -50100,
      message: "Private transactions to flexible privacy groups must use privacyGroupId",
    });
  });
});

describe("a manager that does not respond", () => {
  it("is reported to callers that request a receipt", async () => {
    const privacyUrl = "http://127.0.0.1:1";
    await using site = await openSite({ enclaveConfigFile: undefined, privacyUrl });
    const to = "0x000000000000000000000000000000000000007e";
    await site.node.mine([{ to, data: `0x${"ab".repeat(32)}`, gasLimit: 100_000n }]);
    const { blocks } = site.node.node;
    const [marker] = blocks.findBlock(blocks.head().hash)?.body.transactions ?? [];
    const { hash } = marker ?? expect.fail("no marker");

    await expect(site.rpc("priv_getTransactionReceipt", [hash])).rejects.toMatchObject({
      code: -50100,
      message: expect.stringContaining(`manager ${privacyUrl} does not respond`),
    });
  });
});

describe("tenants of one node", () => {
  it("see the flexible groups that they are members of", async () => {
    let tenant: string | undefined;
    const tokens = definePlugin({
      name: "tokens",
      options: { rpcHttpAuthenticationEnabled: option.flag({ summary: "Guards the listener." }) },
      setup({ hooks }) {
        hooks.rpc.admit.tap(({ client }) => {
          client.identity = { name: "", permissions: [], privacyPublicKey: tenant ?? "" };
          return undefined;
        });
      },
    });
    await using site = await openSite(
      {
        privacyMultiTenancyEnabled: true,
        privacyFlexibleGroupsEnabled: true,
        privacyPublicKeyFile: undefined,
        rpcHttpAuthenticationEnabled: true,
      },
      {},
      [tokens],
    );
    const [first, second] = site.keys as [string, string];
    const bytesOf = (key: string) => Buffer.from(key, "base64");
    const group = Buffer.alloc(32, 5).toString("base64");
    const to = "0x000000000000000000000000000000000000007c";
    const add = (...keys: string[]) => toHex(encodeAddition(keys.map(bytesOf)));
    tenant = first;
    const created = await site.run({ nonce: 0, to, data: add(first), group });
    const { contractAddress, commitmentHash } = await site.run({ nonce: 1, data: STORE, group });
    const asked = [group, { to: contractAddress, data: "0x" }, "latest"] as const;

    expect(created).toMatchObject({ status: "0x1" });
    expect(await site.rpc("priv_call", asked)).toBe(word(0));
    expect(await site.rpc("privx_findFlexiblePrivacyGroup", [[first]])).toHaveLength(1);
    const filter = await site.rpc("priv_newFilter", [group, {}]);

    tenant = second;
    for (const [method, params] of [
      ["priv_call", asked],
      ["priv_getLogs", [group, {}]],
      ["priv_getCode", [group, contractAddress, "latest"]],
      ["priv_newFilter", [group, {}]],
    ] as const) {
      await expect(site.rpc(method, params)).rejects.toMatchObject({ code: -40100 });
    }
    await expect(site.rpc("priv_debugGetStateRoot", [group, "latest"])).rejects.toMatchObject({
      message: "Error finding privacy group",
    });
    await expect(site.rpc("privx_findFlexiblePrivacyGroup", [[first]])).rejects.toMatchObject({
      message: "Error finding flexible privacy group",
    });
    expect(await site.rpc("privx_findFlexiblePrivacyGroup", [[second]])).toEqual([]);
    for (const method of ["priv_getPrivateTransaction", "priv_debugTraceTransaction"]) {
      expect(await site.rpc(method, [commitmentHash])).toBeNull();
    }
    const privateFrom = bytesOf(second);
    await expect(
      site.send({ nonce: 2, to, data: add(second), group, privateFrom }),
    ).rejects.toMatchObject({ message: "Error communicating with enclave" });

    // Both on one node: the second is added, and the first removed.
    tenant = first;
    await site.run({ nonce: 2, to, data: "0xf83d08ba", group });
    await site.run({ nonce: 3, to, data: add(second), group });
    tenant = second;
    expect(await site.rpc("priv_call", asked)).toBe(word(0));
    const removal = toHex(encodeRemoval(bytesOf(first)));
    await site.run({ nonce: 4, to, data: removal, group, privateFrom });
    tenant = first;
    await expect(site.rpc("priv_call", asked)).rejects.toMatchObject({ code: -40100 });
    const steps = () => site.rpc("priv_debugTraceTransaction", [commitmentHash]);
    await expect(steps()).rejects.toMatchObject({ code: -40100 });
    tenant = second;
    expect(await steps()).toMatchObject({ failed: false, isCut: false });
    // It has the history of the group, and can give it to others.
    for (const method of ["priv_getPrivateTransaction", "priv_getTransactionReceipt"]) {
      expect(await site.rpc(method, [commitmentHash])).toMatchObject({ privacyGroupId: group });
    }
    expect(await site.rpc("priv_traceTransaction", [group, commitmentHash])).toHaveLength(1);
    await site.run({ nonce: 5, to, data: "0xf83d08ba", group, privateFrom });
    const added = await site.run({ nonce: 6, to, data: add(first), group, privateFrom });
    expect(added).toMatchObject({ status: "0x1" });
    // The filter of the first has ended with its membership.
    await expect(site.rpc("priv_getFilterChanges", [group, filter])).rejects.toMatchObject({
      message: "Filter not found",
    });
  });

  it("have no access to each other's groups", async () => {
    let tenant: string | undefined;
    const tokens = definePlugin({
      name: "tokens",
      options: { rpcHttpAuthenticationEnabled: option.flag({ summary: "Guards the listener." }) },
      setup({ hooks }) {
        hooks.rpc.admit.tap(({ client }) => {
          client.identity =
            tenant === undefined
              ? undefined
              : { name: tenant, permissions: [], privacyPublicKey: tenant };
          return undefined;
        });
      },
    });
    await using site = await openSite(
      {
        privacyMultiTenancyEnabled: true,
        privacyPublicKeyFile: undefined,
        rpcHttpAuthenticationEnabled: true,
      },
      {},
      [tokens],
    );
    const [first, second] = site.keys as [string, string];
    tenant = first;
    const deployed = await site.run({ nonce: 0, data: STORE });
    const group = deployed.privacyGroupId;
    const asked = [group, { to: deployed.contractAddress, data: "0x" }, "latest"];
    expect(await site.rpc("priv_call", asked)).toBe(word(0));

    tenant = second;
    expect(await site.rpc("priv_getTransactionReceipt", [deployed.commitmentHash])).toBeNull();
    expect(await site.rpc("priv_getPrivateTransaction", [deployed.commitmentHash])).toBeNull();
    for (const [method, params] of [
      ["priv_call", asked],
      ["priv_getLogs", [group, {}]],
      ["priv_getCode", [group, deployed.contractAddress, "latest"]],
      ["priv_newFilter", [group, {}]],
    ] as const) {
      await expect(site.rpc(method, params)).rejects.toMatchObject({ code: -40100 });
    }
    const steps = () => site.rpc("priv_debugTraceTransaction", [deployed.commitmentHash]);
    expect(await steps()).toBeNull();
    await expect(site.rpc("priv_getTransactionCount", [SENDER, group])).rejects.toMatchObject({
      code: -50100,
    });
    await expect(site.send({ nonce: 0, data: STORE })).rejects.toMatchObject({
      message: "Private from does not match enclave public key",
    });
    tenant = undefined;
    await expect(site.rpc("priv_call", asked)).rejects.toMatchObject({ code: -40100 });
    await expect(steps()).rejects.toMatchObject({ code: -40100 });

    tenant = first;
    expect(await steps()).toMatchObject({ failed: false, isCut: false });
    const named = String(await site.rpc("priv_createPrivacyGroup", [{ addresses: [first] }]));
    await site.run({ nonce: 0, data: STORE, group: named });
    tenant = second;
    const privateFrom = Buffer.from(second, "base64");
    // Neither can send into it, or learn about nonces.
    for (const nonce of [0, 1]) {
      const raw = site.sign({ nonce, data: STORE, group: named, privateFrom });
      for (const method of ["eea_sendRawTransaction", "priv_distributeRawTransaction"]) {
        await expect(site.rpc(method, [raw])).rejects.toMatchObject({
          code: -50100,
          message: "Error communicating with enclave",
        });
      }
    }
  });
});

describe("without privacy", () => {
  it("every method reports it", async () => {
    await using node = await createTestNode({
      plugins: [enclave, enclaveTessera, privacy, rpcEea, rpcPriv],
    });
    const methods = node.node
      .methods()
      .filter(({ namespace }) => namespace === "priv" || namespace === "eea")
      .map(({ name }) => name);
    expect(methods.length).toBeGreaterThanOrEqual(18);

    await expect(node.rpc("priv_getPrivacyPrecompileAddress")).rejects.toMatchObject({
      code: -50100,
      message: "Privacy is not enabled",
    });
    await expect(node.rpc("eea_sendRawTransaction", ["0x"])).rejects.toMatchObject({
      message: "Privacy is not enabled",
    });
  });
});

/** The content of a private transaction of a test. */
interface Message {
  readonly nonce: number;
  readonly to?: Address | null;
  readonly data: Hex;
  readonly value: bigint;
  readonly chainId: bigint;
  readonly gasLimit: bigint;
  readonly restriction: "restricted" | "unrestricted";
  readonly privateFrom: Uint8Array;
  readonly for: readonly string[];
  readonly group: string;
}

interface Receipt {
  readonly status: string;
  readonly contractAddress: Address;
  readonly privacyGroupId: string;
  readonly commitmentHash: Hex;
  readonly blockNumber: Hex;
  readonly output: Hex;
  readonly logs: readonly object[];
}

/** A node with an embedded manager that has two keys; the first is the node's. */
async function openSite(
  options: Readonly<Record<string, unknown>> = {},
  privacyConfig: object = {},
  plugins: readonly ReturnType<typeof definePlugin>[] = [],
) {
  const config = join(folder, "enclave.toml");
  await writeFile(
    config,
    'url = "http://127.0.0.1:1/"\npeer-port = 0\nnode-port = 0\nkey-files = ["a.key", "b.key"]\n',
  );
  const keys = await Promise.all(
    ["a.pub", "b.pub"].map((name) => readFile(join(folder, name), "utf8")),
  );
  const node = await createTestNode({
    plugins: [enclave, enclaveTessera, privacy, rpcEea, rpcPriv, ...plugins],
    genesis: {
      ...DEV_GENESIS,
      config: { ...DEV_GENESIS.config, zeroBaseFee: true, privacy: privacyConfig },
    },
    options: {
      privacyEnabled: true,
      enclaveConfigFile: config,
      privacyPublicKeyFile: join(folder, "a.pub"),
      ...options,
    },
  });
  const { rpc } = node;
  const sign = ({ nonce = 0, data = "0x", ...message }: Partial<Message>): Hex => {
    const { group, for: recipients = [] } = message;
    const parties =
      group === undefined
        ? { privateFor: recipients.map((key) => Buffer.from(key, "base64")) }
        : { privacyGroupId: Buffer.from(group, "base64") };
    const raw = signPrivateTransaction(
      {
        nonce: BigInt(nonce),
        gasPrice: 0n,
        gasLimit: message.gasLimit ?? 3_000_000n,
        to: message.to ?? undefined,
        value: message.value ?? 0n,
        data: hexToBytes(data),
        chainId: message.chainId ?? 1337n,
        privateFrom: message.privateFrom ?? Buffer.from(keys[0] ?? "", "base64"),
        restriction: message.restriction ?? "restricted",
        ...parties,
      },
      hexToBytes(KEY),
    );
    return toHex(raw);
  };
  const sendRaw = (raw: Hex) => rpc("eea_sendRawTransaction", [raw]) as Promise<Hex>;
  const send = (message: Partial<Message>) => sendRaw(sign(message));
  const mined = async (hash: Hex) => {
    await expect
      .poll(() => rpc("eth_getTransactionReceipt", [hash]), { timeout: 60_000 })
      .not.toBeNull();
    return (await rpc("eth_getTransactionByHash", [hash])) as { nonce: Hex; from: Address };
  };
  return {
    node,
    rpc,
    keys,
    sign,
    sendRaw,
    send,
    mined,
    status: (hash: Hex) => rpc("plinth_privateTransactionStatus", [hash]),
    async run(message: Partial<Message>): Promise<Receipt> {
      const hash = await send(message);
      await mined(hash);
      return (await rpc("priv_getTransactionReceipt", [hash])) as Receipt;
    },
    async [Symbol.asyncDispose]() {
      await node.stop();
    },
  };
}

/** Makes a manager lose incoming payloads and groups while it is on. */
function losing(lost: Set<string>) {
  let found: PrivacyNode | undefined;
  const fault = {
    isOn: false,
    losesGroups: false,
    sent: () => {},
    node: () => found as PrivacyNode,
    plugin: definePlugin({
      name: "losing",
      dependencies: { enclave: enclaveService, privacy: privacyService },
      setup({ onStart }) {
        onStart(({ enclave: { payloads, groups }, privacy }) => {
          found = privacy.node;
          const { send, receive, has } = payloads;
          const isLost = (hash: Uint8Array) => lost.has(Buffer.from(hash).toString("base64"));
          payloads.send = async (order) => {
            const hash = await send.call(payloads, order);
            fault.sent();
            if (fault.isOn) lost.add(Buffer.from(hash).toString("base64"));
            return hash;
          };
          payloads.receive = (hash, to) => {
            if (isLost(hash)) throw new EnclaveError(404, "lost");
            return receive.call(payloads, hash, to);
          };
          const { get, isKnown, findKnown, findEver } = groups;
          groups.get = (id) => {
            if (fault.losesGroups) throw new EnclaveError(404, "lost");
            return get.call(groups, id);
          };
          groups.isKnown = (id) => !fault.losesGroups && isKnown.call(groups, id);
          groups.findKnown = (id) => (fault.losesGroups ? undefined : findKnown.call(groups, id));
          groups.findEver = (id) => (fault.losesGroups ? undefined : findEver.call(groups, id));
          payloads.has = (hash) => !isLost(hash) && has.call(payloads, hash);
        });
      },
    }),
  };
  return fault;
}

function creationOf(code: string): Hex {
  const size = (code.length / 2).toString(16).padStart(2, "0");
  return `0x60${size}600c60003960${size}6000f3${code}`;
}

function word(value: number): Hex {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
