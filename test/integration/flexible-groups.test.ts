import {
  decodeRlp,
  encodeRlp,
  type Hash,
  type Hex,
  hexToBytes,
  keccak256,
  toHex,
} from "@plinth/core";
import { afterEach, describe, expect, it } from "vitest";
import {
  type FlexibleMember,
  FlexibleNetwork,
  type FlexibleReceipt,
  groupVersion,
  manage,
  newGroup,
  OTHER_KEY,
  STORE,
  word,
} from "../support/flexible-members.js";

const EMPTY_ROOT = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
const PROXY = "0x000000000000000000000000000000000000007c";
const MANAGEMENT = "0x000000000000000000000000000000000000007b";
/** `upgradeTo(address)` of the proxy. */
const UPGRADE = "0x3659cfe6";
const UNKNOWN_GROUP = "Error finding privacy group";

const open: FlexibleNetwork[] = [];
afterEach(async () => {
  for (const network of open.splice(0)) await network[Symbol.asyncDispose]();
});

/** Nodes of which the first two have a group with a contract that stores 7. */
async function openGroup<const N extends readonly string[]>(...names: N) {
  const network = await FlexibleNetwork.open(names);
  open.push(network);
  const [a, b] = network.members as readonly [FlexibleMember, FlexibleMember];
  const group = newGroup();
  await network.run(a, manage.add(group, a, b));
  const { contractAddress: contract } = await network.run(a, { group, data: STORE });
  await network.run(b, { group, to: contract, data: word(7), signer: OTHER_KEY });
  const store = (from: FlexibleMember, value: number) =>
    network.run(from, { group, to: contract, data: word(value) });
  const read = ({ rpc }: FlexibleMember, block = "latest") =>
    rpc<Hex>("priv_call", group, { to: contract, data: "0x" }, block).then(Number);
  const reasonOf = async ({ rpc }: FlexibleMember, hash: Hash | undefined) => {
    // It waits until the block has run.
    await rpc("priv_getTransactionReceipt", hash);
    return (await rpc<{ readonly reason?: string }>("plinth_privateTransactionStatus", hash))
      .reason;
  };
  return { network, members: network.members, group, contract, store, read, reasonOf };
}

async function expectAgreement(
  network: FlexibleNetwork,
  group: string,
  members: readonly FlexibleMember[],
): Promise<string> {
  const roots = await network.roots(group, members);
  expect(roots).toEqual(roots.map(() => roots[0]));
  expect(roots[0]).toMatch(/^0x/);
  expect(roots[0]).not.toBe(EMPTY_ROOT);
  return String(roots[0]);
}

async function membersOf({ rpc }: FlexibleMember, group: string): Promise<readonly string[]> {
  const found = await rpc<{ privacyGroupId: string; members: string[] }[]>(
    "privx_findOnchainPrivacyGroup",
    [],
  );
  return found.find(({ privacyGroupId }) => privacyGroupId === group)?.members ?? [];
}

describe("a flexible group", () => {
  it("is created by its first members, which compute the same states", async () => {
    const { network, members, group, contract, read, store } = await openGroup("a", "b", "c");
    const [a, b, c] = members;

    const stored = await store(b, 42);

    expect(stored).toMatchObject({ status: "0x1", logs: [{ data: word(42) }] });
    await expectAgreement(network, group, [a, b]);
    expect(await network.roots(group, [c])).toEqual([UNKNOWN_GROUP]);
    expect([await read(a), await read(b)]).toEqual([42, 42]);
    expect(await b.rpc("priv_getCode", group, contract, "latest")).toMatch(/^0x3660/);
    expect(await c.rpc("priv_getLogs", group, {})).toEqual([]);
    const [found] = await a.rpc<object[]>("privx_findFlexiblePrivacyGroup", [b.key]);
    const described = { privacyGroupId: group, name: "", description: "", type: "FLEXIBLE" };
    expect(found).toEqual({ ...described, members: [a.key, b.key] });
    expect(await a.rpc("privx_findFlexiblePrivacyGroup", [c.key])).toEqual([]);
  });

  it("is found as soon as its block is on the chain", async () => {
    const network = await FlexibleNetwork.open(["a", "b"]);
    open.push(network);
    const [a, b] = network.members;
    const group = newGroup();

    await network.mine(await a.distribute(manage.add(group, a, b)));

    expect(await membersOf(b, group)).toEqual([a.key, b.key]);
  });

  it("has the contracts of Besu in its state from the first transaction on, and other groups do not", async () => {
    const { members, group } = await openGroup("a", "b");
    const [a] = members;
    const codes = await Promise.all(
      [MANAGEMENT, PROXY].map((address) => a.rpc<Hex>("priv_getCode", group, address, "latest")),
    );
    const implementation = { to: PROXY, data: "0x5c60da1b" };

    expect(codes.map((code) => toHex(keccak256(hexToBytes(code))))).toEqual([
      "0xa350df41827ef90b664f0a478146534d7e4eddefd3476c6149aa7b9d67f8e767",
      "0xb5a5a8a6c0f3e768bef8085d7478e6f99207c29670a980ff5de8c9f89fedc1aa",
    ]);
    expect(await a.rpc("priv_call", group, implementation, "latest")).toBe(word(0x7b));
    expect(await a.rpc("priv_getCode", group, PROXY, "earliest")).toBeNull();

    await using ordinary = await FlexibleNetwork.open(["c"], {
      privacyFlexibleGroupsEnabled: false,
    });
    const [c] = ordinary.members;
    const named = { group: undefined, data: STORE, nonce: 0n, privateFor: [] };
    const hash = await c.rpc<Hash>("eea_sendRawTransaction", await c.sign(named));
    await expect.poll(() => c.rpc("eth_getTransactionReceipt", hash)).not.toBeNull();
    const receipt = await c.rpc<{ privacyGroupId: string }>("priv_getTransactionReceipt", hash);
    expect(receipt).toMatchObject({ status: "0x1" });
    expect(await c.rpc("priv_getCode", receipt.privacyGroupId, PROXY, "latest")).toBeNull();
  });

  it("accepts private transactions by eea_sendRawTransaction, with its own marker address", async () => {
    const { network, members, group, read, contract } = await openGroup("a", "b");
    const [a, b] = members;

    const raw = await a.sign({ group, to: contract, data: word(9) });
    const hash = await a.rpc<Hash>("eea_sendRawTransaction", raw);
    await expect.poll(() => a.rpc("eth_getTransactionReceipt", hash)).not.toBeNull();
    await network.follow();

    expect(await a.rpc("eth_getTransactionByHash", hash)).toMatchObject({
      to: "0x000000000000000000000000000000000000007d",
    });
    expect([await read(a), await read(b)]).toEqual([9, 9]);
  });

  it("gives new members everything that it has run", async () => {
    const { network, members, group, contract, store, read } = await openGroup("a", "b", "c", "d");
    const [a, b, c, d] = members;
    const before = await store(a, 8);
    await network.run(a, manage.lock(group));

    const named = await a.distribute(manage.add(group, c));
    const [hash] = await network.mine(named);

    expect(hexToBytes(named)).toHaveLength(64);
    await expectAgreement(network, group, [a, b, c]);
    expect(await membersOf(c, group)).toEqual([a.key, b.key, c.key]);
    expect(await c.rpc("priv_getTransactionReceipt", hash)).toMatchObject({ status: "0x1" });
    // The past is that of the others, also if queried by marker.
    expect(await read(c)).toBe(8);
    const { blockNumber } = before as unknown as { blockNumber: string };
    const earlier = `0x${(Number(blockNumber) - 1).toString(16)}`;
    expect([await read(a, earlier), await read(c, earlier)]).toEqual([7, 7]);
    for (const [method, ...params] of [
      ["priv_getTransactionReceipt", before.commitmentHash],
      ["priv_getPrivateTransaction", before.commitmentHash],
      ["priv_traceTransaction", group, before.commitmentHash],
      ["priv_getLogs", group, {}],
    ] as const) {
      const expected = await a.rpc(method, ...params);
      expect(await c.rpc(method, ...params)).toEqual(expected);
      expect(JSON.stringify(expected).length).toBeGreaterThan(100);
    }
    expect(await d.rpc("priv_getPrivateTransaction", before.commitmentHash)).toBeNull();

    // A new member passes on what it received, and what came since then.
    await store(c, 10);
    await network.run(c, manage.lock(group));
    await network.run(c, manage.add(group, d));
    await expectAgreement(network, group, [a, b, c, d]);
    expect(await d.rpc("priv_call", group, { to: contract, data: "0x" }, "latest")).toBe(word(10));
  });

  it("withholds later transactions from a removed member", async () => {
    const { network, members, group, store, read } = await openGroup("a", "b", "c");
    const [a, b] = members;
    const filter = await b.rpc("priv_newFilter", group, {});
    const kept = await a.rpc("priv_newFilter", group, {});

    const removed = await network.run(a, manage.remove(group, b));
    const root = await expectAgreement(network, group, [a, b]);
    const later = await store(a, 99);

    expect(removed).toMatchObject({ status: "0x1" });
    expect(await network.roots(group, [b])).toEqual([root]);
    expect(await read(b)).toBe(7);
    expect(await read(a)).toBe(99);
    expect(await b.rpc("priv_getTransactionReceipt", later.commitmentHash)).toBeNull();
    expect(await b.rpc("priv_getPrivateTransaction", later.commitmentHash)).toBeNull();
    expect(await b.rpc("priv_getLogs", group, { fromBlock: "latest" })).toEqual([]);
    await expect(b.rpc("priv_getFilterChanges", group, filter)).rejects.toMatchObject({
      message: "Filter not found",
    });
    expect(await a.rpc("priv_getFilterChanges", group, kept)).toHaveLength(2);
    await expect(store(b, 1)).rejects.toMatchObject({
      code: -50100,
      message: "Flexible Privacy group does not exist.",
    });
  });

  it("is undone and redone with its blocks", async () => {
    const network = await FlexibleNetwork.open(["a"]);
    open.push(network);
    const [a] = network.members;
    const group = newGroup();
    await network.run(a, manage.add(group, a));

    await a.test.reorganize(1, [], []);
    const undone = await network.roots(group);
    // The marker waits in the pool.
    await a.test.mine([]);

    expect(undone).toEqual([UNKNOWN_GROUP]);
    expect(await membersOf(a, group)).toEqual([a.key]);
  });

  it("is left and joined again with the block that adds a member", async () => {
    const { network, members, group, read } = await openGroup("a", "b", "c");
    const [a, b, c] = members;
    await network.run(a, manage.lock(group));
    const before = await expectAgreement(network, group, [a, b]);
    await network.run(a, manage.add(group, c));
    await expectAgreement(network, group, members);

    const { number } = a.test.node.blocks.head();
    await a.test.reorganize(1, [], []);
    await network.follow(number);
    // What came with the addition stays, and is what the others have.
    expect(await network.roots(group)).toEqual([before, before, before]);
    expect(await membersOf(c, group)).toEqual([a.key, b.key]);
    // The marker waits in the pool.
    await network.mine();

    await expectAgreement(network, group, members);
    expect(await membersOf(c, group)).toEqual([a.key, b.key, c.key]);
    expect(await read(c)).toBe(7);
  });

  it("gives a returning member what it has missed, from the middle of a block on", async () => {
    const { network, members, group, contract, store, read } = await openGroup("a", "b");
    const [a, b] = members;
    const nonce = BigInt(await a.rpc<Hex>("priv_getTransactionCount", OWNER, group));
    const removal = await a.distribute(manage.remove(group, b));
    const message = { group, to: contract, data: word(11), nonce: nonce + 1n };
    const { hash: parentHash, coinbase } = a.test.node.blocks.head();
    const version = groupVersion({ parentHash, coinbase }, [a]);
    const after = await sendWithVersion(a, message, version);
    const [, missed] = await network.mine(removal, after);
    expect(await a.rpc("priv_getTransactionReceipt", missed)).toMatchObject({ status: "0x1" });
    expect(await b.rpc("priv_getTransactionReceipt", missed)).toBeNull();
    await store(a, 12);
    expect(await read(b)).toBe(7);
    await network.run(a, manage.lock(group));

    await network.run(a, manage.add(group, b));

    await expectAgreement(network, group, [a, b]);
    expect(await read(b)).toBe(12);
    expect(await b.rpc("priv_getTransactionCount", OWNER, group)).toBe(toHexNumber(nonce + 5n));
    expect(await b.rpc("priv_getLogs", group, { address: contract })).toHaveLength(3);
  });

  it("takes a member back after all members it knew have left", async () => {
    const { network, members, group, store, read } = await openGroup("a", "b", "c");
    const [a, b, c] = members;
    await network.run(a, manage.remove(group, b));
    await network.run(a, manage.lock(group));
    await network.run(a, manage.add(group, c));
    await network.run(c, manage.remove(group, a));
    await store(c, 12);
    await network.run(c, manage.lock(group));

    await network.run(c, manage.add(group, b));

    await expectAgreement(network, group, [b, c]);
    expect(await read(b)).toBe(12);
  });
});

const OWNER = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
/** The state of a group as the nodes have it, if its contract does not report its members. */
async function expectStates(
  { members: [first] }: FlexibleNetwork,
  group: string,
  members: readonly FlexibleMember[],
): Promise<string> {
  const { number } = first?.test.node.blocks.head() ?? expect.fail("no node");
  const id = Buffer.from(group, "base64");
  const roots = await Promise.all(
    members.map(async ({ privacy, rpc }) => {
      await rpc("priv_getCode", group, PROXY, "latest");
      return privacy().store.rootAt(id, number);
    }),
  );
  expect(new Set(roots).size).toBe(1);
  return String(roots[0]);
}

/**
 * Stores a private transaction with some, or its sender alone, for a version that the node does not
 * request.
 */
async function sendWithVersion(
  sender: FlexibleMember,
  message: Parameters<FlexibleMember["sign"]>[0],
  version: Uint8Array,
  recipients: readonly FlexibleMember[] = [sender],
): Promise<Hex> {
  const { site, sign } = sender;
  const payload = encodeRlp([decodeRlp(hexToBytes(await sign(message))), version]);
  return toHex(
    await site.client.send(payload, {
      from: site.key,
      to: recipients.map(({ site: { key } }) => key),
    }),
  );
}

const toHexNumber = (value: bigint) => `0x${value.toString(16)}`;

describe("private transactions that a flexible group does not run", () => {
  it("to a locked group, until it is unlocked", async () => {
    const { network, members, group, contract, store, read, reasonOf } = await openGroup("a", "b");
    const [a, b] = members;
    await network.run(a, manage.lock(group));
    const root = await expectAgreement(network, group, [a, b]);

    const refused = await store(b, 1);

    expect(refused).toMatchObject({ status: "0x0", logs: [] });
    for (const member of [a, b]) {
      expect(await reasonOf(member, refused.commitmentHash)).toBe("the group is locked");
    }
    expect(await network.roots(group)).toEqual([root, root]);
    // A lock that is never released is visible, and delays nothing else.
    const deployed = await network.run(a, { group, data: STORE });
    expect(deployed).toMatchObject({ status: "0x0" });
    expect(await a.rpc("plinth_privacyStatus")).toMatchObject({ groups: [] });
    await network.run(a, manage.unlock(group));
    expect(await store(b, 2)).toMatchObject({ status: "0x1" });
    expect(await read(a)).toBe(2);
    expect(contract).toMatch(/^0x/);
  });

  it("that adds members while the group is not locked", async () => {
    const { network, members, group, reasonOf } = await openGroup("a", "b", "c");
    const [a, b, c] = members;
    const root = await expectAgreement(network, group, [a, b]);

    const { commitmentHash, status } = await network.run(a, manage.add(group, c));

    expect(status).toBe("0x0");
    expect(await reasonOf(b, commitmentHash)).toBe(
      "members are added to a group that is not locked",
    );
    expect(await network.roots(group, [a, b])).toEqual([root, root]);
    // The sender gave it the history, which has no effect.
    expect(await network.roots(group, [c])).toEqual([UNKNOWN_GROUP]);
    expect(await reasonOf(c, commitmentHash)).toContain(
      "the history is rejected: the addition fails after it: members are added to a group that is not locked",
    );
  });

  it.each([
    ["says yes to everything", "600160005260206000f3", "its sender is not a member of the group"],
    [
      "says nothing to questions",
      "6004361160085700" + "5b600160005260206000f3",
      "the group does not report whether it is locked",
    ],
  ])("behind a contract of the owner that %s", async (_, code, reason) => {
    const { network, members, group, store, reasonOf } = await openGroup("a", "b");
    const [a, b] = members;
    const size = (code.length / 2).toString(16).padStart(2, "0");
    const data = `0x60${size}600c60003960${size}6000f3${code}` as const;
    const { contractAddress: contract } = await network.run(a, { group, data });
    const upgrade = `${UPGRADE}${contract.slice(2).padStart(64, "0")}` as Hex;
    const upgraded = await network.run(a, { group, to: PROXY, data: upgrade });
    expect(upgraded).toMatchObject({ status: "0x1" });
    const root = await expectStates(network, group, [a, b]);

    // The members send as before: if the contract does not report them, that is the end of the
    // group.
    await expect(store(a, 5)).rejects.toMatchObject({
      message: "Flexible Privacy group does not exist.",
    });
    const nonce = BigInt(await a.rpc<Hex>("priv_getTransactionCount", OWNER, group));
    const message = { group, to: contract, data: word(5), nonce };
    const named = await sendWithVersion(a, message, hexToBytes(word(1)), [a, b]);
    const [hash] = await network.mine(named);

    expect(await expectStates(network, group, [a, b])).toBe(root);
    for (const member of [a, b]) expect(await reasonOf(member, hash)).toBe(reason);
    expect(await a.rpc("eth_blockNumber")).toBe(await b.rpc("eth_blockNumber"));
  });

  it("of an old version", async () => {
    const { network, members, group, contract, reasonOf } = await openGroup("a", "b", "c");
    const [a, b, c] = members;
    const old = await b.distribute({ group, to: contract, data: word(3), signer: OTHER_KEY });
    await network.run(a, manage.lock(group));
    await network.run(a, manage.add(group, c));
    const root = await expectAgreement(network, group, members);

    const [hash] = await network.mine(old);

    expect(await network.roots(group)).toEqual([root, root, root]);
    for (const member of [a, b]) {
      expect(await reasonOf(member, hash)).toBe("the version of the group has changed");
    }
    expect(await c.rpc("priv_getTransactionReceipt", hash)).toBeNull();
  });

  it.each([
    ["after", true],
    ["before", false],
  ])("of a member that sends in the block that removes it, %s the removal", async (_, isAfter) => {
    const { network, members, group, contract, read } = await openGroup("a", "b");
    const [a, b] = members;
    const sent = await b.distribute({ group, to: contract, data: word(3), signer: OTHER_KEY });
    const removal = await a.distribute(manage.remove(group, b));

    const hashes = await network.mine(...(isAfter ? [removal, sent] : [sent, removal]));

    await expectAgreement(network, group, [a, b]);
    expect([await read(a), await read(b)]).toEqual(isAfter ? [7, 7] : [3, 3]);
    const receipt = await b.rpc("priv_getTransactionReceipt", hashes[isAfter ? 1 : 0]);
    expect(receipt).toMatchObject({ status: isAfter ? "0x0" : "0x1" });
    expect(await membersOf(a, group)).toEqual([a.key]);
  });

  it("of two additions at once, the second", async () => {
    const { network, members, group, reasonOf } = await openGroup("a", "b", "c", "d");
    const [a, b, c, d] = members;
    await network.run(a, manage.lock(group));
    const both = [
      await a.distribute(manage.add(group, c)),
      await a.distribute(manage.add(group, d)),
    ];

    const [, second] = await network.mine(...both);

    await expectAgreement(network, group, [a, b, c]);
    expect(await membersOf(b, group)).toEqual([a.key, b.key, c.key]);
    expect(await reasonOf(b, second)).toBe("members are added to a group that is not locked");
    // It has run only its own addition, since it was not sent the other one; the members run
    // nothing of it.
    const stray = await network.run(d, { group, data: STORE, signer: OTHER_KEY });
    await expectAgreement(network, group, [a, b, c]);
    expect(await a.rpc("priv_getTransactionReceipt", stray.commitmentHash)).toMatchObject({
      status: "0x0",
    });
  });

  it("with a used nonce, as invalid, and those that revert, as failed", async () => {
    const { network, members, group } = await openGroup("a", "b");
    const [a, b] = members;
    const root = await expectAgreement(network, group, [a, b]);
    const future = await network.run(a, { ...manage.lock(group), nonce: 50n });
    // No one but the owner locks a group.
    const reverted = await network.run(b, { ...manage.lock(group), signer: OTHER_KEY });

    expect(future).toMatchObject({ status: "0x2" });
    expect(reverted).toMatchObject({
      status: "0x0",
      revertReason: expect.stringContaining(Buffer.from("Origin not the owner.").toString("hex")),
    });
    expect(await network.roots(group)).toEqual([root, root]);
    for (const { commitmentHash } of [future, reverted]) {
      const [seen, other] = await Promise.all(
        [a, b].map(({ rpc }) => rpc<FlexibleReceipt>("priv_getTransactionReceipt", commitmentHash)),
      );
      expect(other).toEqual(seen);
    }
  });
});

describe("private transactions that flexible groups reject at once", () => {
  it.each(["eea_sendRawTransaction", "priv_distributeRawTransaction"])("by %s", async (method) => {
    const { members, group } = await openGroup("a", "b", "c");
    const [a, , c] = members;
    const send = async (member: FlexibleMember, message: Parameters<typeof member.sign>[0]) =>
      member.rpc(method, await member.sign(message));
    const missing = { code: -50100, message: "Flexible Privacy group does not exist." };

    await expect(
      send(a, { group: undefined, data: STORE, nonce: 0n, privateFor: [c.key] }),
    ).rejects.toMatchObject({
      code: -50100,
      message: "Private transactions to flexible privacy groups must use privacyGroupId",
    });
    await expect(send(a, { group: newGroup(), data: STORE })).rejects.toMatchObject(missing);
    await expect(send(a, manage.lock(newGroup()))).rejects.toMatchObject(missing);
    await expect(send(c, { group, data: STORE })).rejects.toMatchObject(missing);
    // The creators of a group are members of it.
    await expect(send(a, manage.add(newGroup(), c))).rejects.toMatchObject(missing);
    const garbage = { group: newGroup(), to: PROXY, data: "0x965a25efff" } as const;
    await expect(send(a, garbage)).rejects.toMatchObject(missing);
    await expect(send(a, { group, data: STORE, nonce: 0n })).rejects.toMatchObject({
      code: -32001,
    });
  });

  it("exclude those of new groups, whatever a public contract at the address of the proxy returns", async () => {
    // Returns a list of one key, which is 32 times 0x11.
    const list = [32, 1, 32, 32].map((value) => word(value).slice(2)).join("") + "11".repeat(32);
    const code = `0x60a0600c60003960a06000f3${list}`;
    await using network = await FlexibleNetwork.open(
      ["a"],
      {},
      { [PROXY]: { code, balance: "1" } },
    );
    const [a] = network.members as readonly [FlexibleMember];

    const created = await network.run(a, manage.add(newGroup(), a));

    expect(created).toMatchObject({ status: "0x1" });
  });

  it("the methods of other groups", async () => {
    const { members, group } = await openGroup("a", "b");
    const [a] = members;

    for (const [method, params] of [
      ["priv_createPrivacyGroup", { addresses: [a.key] }],
      ["priv_findPrivacyGroup", [a.key]],
      ["priv_deletePrivacyGroup", group],
    ] as const) {
      await expect(a.rpc(method, params)).rejects.toMatchObject({ code: -32604 });
    }
    await expect(a.rpc("privx_findFlexiblePrivacyGroup", "nonsense")).rejects.toMatchObject({
      code: -32602,
    });
  });
});
