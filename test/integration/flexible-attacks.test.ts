import { decodeRlp, encodeRlp, type Hash, type Hex, hexToBytes, toHex } from "@plinth/core";
import { PROXY_ADDRESS } from "@plinth/plugin-privacy/api";
import { afterEach, describe, expect, it } from "vitest";
import {
  type FlexibleMember,
  type FlexibleMessage,
  FlexibleNetwork,
  groupVersion,
  manage,
  newGroup,
  OTHER_KEY,
  STORE,
  word,
} from "../support/flexible-members.js";

const STRANGER_KEY: Hex = `0x${"29".repeat(32)}`;
const ZERO = new Uint8Array(32);

const open: FlexibleNetwork[] = [];
afterEach(async () => {
  for (const network of open.splice(0)) await network[Symbol.asyncDispose]();
});

/**
 * Two members with a group that stores 7, and an outsider who knows the markers of the chain and
 * the id of the group.
 */
async function openGroup() {
  const network = await FlexibleNetwork.open(["a", "b", "stranger"]);
  open.push(network);
  const [a, b, stranger] = network.members;
  const group = newGroup();
  await network.run(a, manage.add(group, a, b));
  const { contractAddress: contract } = await network.run(a, { group, data: STORE });
  const stored = await network.run(b, { group, to: contract, data: word(7), signer: OTHER_KEY });
  return { network, a, b, stranger, group, contract, stored };
}

/** What an outsider claims a group has done. */
type Claim = FlexibleMessage & { readonly marker: Hash };

/** What only an outsider's own node would run. */
const byStranger = <T extends FlexibleMessage>(message: T, nonce: bigint) => ({
  ...message,
  signer: STRANGER_KEY,
  nonce,
});

/**
 * Sends a payload that a node would not send, and a forged history; returns the reference for a
 * marker.
 */
async function forge(
  { site, sign }: FlexibleMember,
  addition: FlexibleMessage,
  to: FlexibleMember,
  claims: readonly (Claim & { readonly root: Hash })[],
  version: Uint8Array = ZERO,
): Promise<Hex> {
  const signed = async (message: FlexibleMessage) => decodeRlp(hexToBytes(await sign(message)));
  const history = [];
  for (const { marker, root, ...message } of claims) {
    history.push([await signed(message), [hexToBytes(marker), hexToBytes(root)]]);
  }
  const payload = encodeRlp([await signed(addition), version]);
  const parties = { from: site.key, to: [to.site.key] };
  const payloadKey = await site.client.send(payload, parties);
  const historyKey = await site.client.send(encodeRlp(history), parties);
  return toHex(Buffer.concat([payloadKey, historyKey]));
}

/** The same with the states that a forger computes; here the victim reports them. */
async function addForged(
  network: FlexibleNetwork,
  stranger: FlexibleMember,
  forged: {
    readonly addition: FlexibleMessage;
    readonly version?: Uint8Array;
    readonly victim: FlexibleMember;
    readonly claims: readonly Claim[];
  },
): Promise<string> {
  const { addition, victim, claims, version } = forged;
  const roots = claims.map(() => toHex(ZERO));
  for (;;) {
    const claimed = claims.map((claim, at) => ({ ...claim, root: roots[at] as Hash }));
    const [hash] = await network.mine(await forge(stranger, addition, victim, claimed, version));
    await victim.rpc("priv_getTransactionReceipt", hash);
    const { reason = "" } = await victim.rpc<{ reason?: string }>(
      "plinth_privateTransactionStatus",
      hash,
    );
    const [, marker, root] = /the state after (0x\w+) is (0x\w+)/.exec(reason) ?? [];
    if (marker === undefined) return reason;
    roots[claims.findIndex((claim) => claim.marker === marker)] = root as Hash;
  }
}

describe("a stranger", () => {
  it("does not replace receipts of a group by the history of another that references its markers", async () => {
    const { network, a, stranger, group, stored } = await openGroup();
    const before = await a.rpc("priv_getLogs", group, {});
    const receipt = await a.rpc("priv_getTransactionReceipt", stored.commitmentHash);
    const fake = newGroup();
    const first = a.test.node.blocks.findBlock(1n) ?? expect.fail("no block");
    const [created] = first.body.transactions;

    const reason = await addForged(network, stranger, {
      addition: byStranger(manage.add(fake, a), 2n),
      version: groupVersion(first.header, [stranger]),
      victim: a,
      claims: [
        { ...byStranger(manage.add(fake, stranger), 0n), marker: created?.hash as Hash },
        { ...byStranger(manage.lock(fake), 1n), marker: stored.commitmentHash },
      ],
    });

    // The node cannot detect that it is a lie.
    expect(reason).toBe("");
    expect(await a.rpc("priv_debugGetStateRoot", fake, "latest")).toMatch(/^0x/);
    expect(await a.rpc("priv_getTransactionReceipt", stored.commitmentHash)).toEqual(receipt);
    expect(await a.rpc("priv_getLogs", group, {})).toEqual(before);
  });

  it("does not continue with the history of another group", async () => {
    const { network, a, b, stranger, group, stored } = await openGroup();
    const before = await network.roots(group, [a, b]);
    const [other] = await network.mine(toHex(new Uint8Array(32).fill(5)));
    const filler = byStranger({ group, data: STORE }, 0n);

    const reason = await addForged(network, stranger, {
      addition: byStranger(manage.add(group, a), 1n),
      victim: a,
      claims: [
        { ...filler, marker: stored.commitmentHash },
        { ...filler, marker: other as Hash },
      ],
    });

    expect(reason).toContain("belongs to another group");
    expect(await network.roots(group, [a, b])).toEqual(before);
  });

  it.each([
    ["goes on with", [0, 1, 2]],
    ["replaces", [0]],
  ])("does not delay a group of others by a history that %s what it has run", async (_, kept) => {
    const { network, a, b, stranger, group, contract } = await openGroup();
    const before = await network.roots(group, [a, b]);
    const { blocks } = a.test.node;
    const markers = [1n, 2n, 3n].map(
      (number) => blocks.findBlock(number)?.body.transactions[0]?.hash as Hash,
    );
    const [other] = await network.mine(toHex(new Uint8Array(32).fill(5)));
    const filler = byStranger({ group, data: STORE }, 0n);
    // Its init code does not end.
    const endless = byStranger({ group, data: "0x5b600056" }, 0n);

    const reason = await addForged(network, stranger, {
      addition: byStranger(manage.add(group, a), 1n),
      victim: a,
      claims: [
        ...kept.map((at) => ({ ...filler, marker: markers[at] as Hash })),
        { ...endless, marker: other as Hash },
      ],
    });

    expect(reason).toContain("its sender is not a member of the group as of this node");
    expect(await network.roots(group, [a, b])).toEqual(before);
    const store = { group, to: contract, data: word(8) };
    expect(await network.run(b, { ...store, signer: OTHER_KEY })).toMatchObject({ status: "0x1" });
    expect((await network.roots(group, [a]))[0]).toBe((await network.roots(group, [b]))[0]);
  });
});

/** Init code of a contract with some code. */
function creationOf(code: string): Hex {
  const size = (code.length / 2).toString(16).padStart(2, "0");
  return `0x60${size}600c60003960${size}6000f3${code}`;
}

/**
 * Accepts calls with parameters, as the proxy makes them for an upgrade, and otherwise does
 * something else.
 */
function implementation(code: string): string {
  const taken = "5b600160005260206000f3";
  const at = (7 + code.length / 2).toString(16).padStart(2, "0");
  return `6004361160${at}57${code}${taken}`;
}

describe("an addition whose payload others reference before it, without its history", () => {
  const naming = async () => {
    const { network, a, b, stranger: c, group, contract } = await openGroup();
    await network.run(a, manage.lock(group));
    const addition = await a.distribute(manage.add(group, c));
    return { network, a, b, c, group, contract, addition, front: addition.slice(0, 66) as Hex };
  };

  it("adds its members if both are in one block", async () => {
    const { network, b, c, group, contract, addition, front } = await naming();

    await network.mine(front, addition);

    await network.run(b, { group, to: contract, data: word(8), signer: OTHER_KEY });
    const roots = await network.roots(group);
    expect(roots).toEqual(roots.map(() => roots[0]));
    expect(await c.rpc("priv_call", group, { to: contract, data: "0x" }, "latest")).toBe(word(8));
  });

  it("is rejected by the added members if it comes later, until they are added again", async () => {
    const { network, a, c, group, addition, front } = await naming();
    await network.mine(front);

    const [hash] = await network.mine(addition);

    await c.rpc("priv_getTransactionReceipt", hash);
    const { reason } = await c.rpc<{ reason?: string }>("plinth_privateTransactionStatus", hash);
    expect(reason).toContain(
      "the members have executed the addition in block 5 through another marker",
    );
    expect(await network.roots(group, [c])).toEqual(["Error finding privacy group"]);
    await network.run(a, manage.lock(group));
    await network.run(a, manage.add(group, c));
    const roots = await network.roots(group);
    expect(roots).toEqual(roots.map(() => roots[0]));
  });
});

describe("a member that was removed", () => {
  it("accepts no history of an outsider whose addition the group would reject", async () => {
    const { network, a, b, stranger, group } = await openGroup();
    await network.run(a, manage.remove(group, b));
    const before = await network.roots(group, [b]);
    const { blocks } = b.test.node;
    const markers = [1n, 2n, 3n, 4n].map(
      (number) => blocks.findBlock(number)?.body.transactions[0]?.hash as Hash,
    );
    const [other] = await network.mine(toHex(new Uint8Array(32).fill(5)));
    const filler = byStranger({ group, data: STORE }, 0n);

    const reason = await addForged(network, stranger, {
      addition: byStranger(manage.add(group, b), 1n),
      victim: b,
      claims: [...markers, other as Hash].map((marker) => ({ ...filler, marker })),
    });

    expect(reason).toContain("the addition fails after it");
    expect(await network.roots(group, [b])).toEqual(before);
    expect(await b.rpc("priv_getTransactionReceipt", other)).toBeNull();
  });
});

describe("a group whose owner puts another contract behind the proxy", () => {
  it.each([
    ["does not end", "5b600756"],
    ["fails", "60006000fd"],
    ["returns nothing", "00"],
    ["returns megabytes", "627fffff6000f3"],
  ])("that %s has no members, and does not delay others", async (_, code) => {
    const { network, a, stranger, group } = await openGroup();
    const bad = newGroup();
    await network.run(stranger, manage.add(bad, stranger, a));
    const deployment = { group: bad, data: creationOf(implementation(code)) };
    const { contractAddress } = await network.run(stranger, deployment);
    const data = `0x3659cfe6${contractAddress.slice(2).padStart(64, "0")}` as Hex;
    const upgraded = await network.run(stranger, { group: bad, to: PROXY_ADDRESS, data });
    expect(upgraded).toMatchObject({ status: "0x1" });

    const found = await a.rpc<{ privacyGroupId: string }[]>("privx_findFlexiblePrivacyGroup", []);

    const byId = new Map(found.map((one) => [one.privacyGroupId, one]));
    expect(byId.get(group)).toMatchObject({ members: [a.key, expect.any(String)] });
    expect(byId.get(bad)).toBeUndefined();
    await expect(stranger.distribute({ group: bad, data: STORE })).rejects.toMatchObject({
      message: "Flexible Privacy group does not exist.",
    });
  });

  it("is skipped while a transaction of it does not end", async () => {
    const { network, a, stranger, group } = await openGroup();
    const bad = newGroup();
    await network.run(stranger, manage.add(bad, stranger, a));
    await network.roots(bad, [a]);
    const { executor } = a.privacy();
    executor.isHeld = (id) => Buffer.from(id).toString("base64") === bad;

    expect(await a.rpc("privx_findFlexiblePrivacyGroup", [])).toMatchObject([
      { privacyGroupId: group },
    ]);
  });
});

describe("the members of the second of two additions at once", () => {
  it("are added when they are added again, with everything that the others have run and nothing else", async () => {
    const network = await FlexibleNetwork.open(["a", "b", "c", "d"]);
    open.push(network);
    const [a, b, c, d] = network.members;
    const group = newGroup();
    await network.run(a, manage.add(group, a, b));
    await network.run(a, { group, data: STORE });
    await network.run(a, manage.lock(group));
    const both = [
      await a.distribute(manage.add(group, c)),
      await a.distribute(manage.add(group, d)),
    ];
    const [, refused] = await network.mine(...both);
    const own = await network.run(d, { group, data: STORE, signer: OTHER_KEY });
    expect(own).toMatchObject({ status: "0x1" });

    await network.run(a, manage.lock(group));
    await network.run(a, manage.add(group, d));

    const roots = await network.roots(group);
    expect(roots).toEqual(roots.map(() => roots[0]));
    for (const hash of [refused, own.commitmentHash]) {
      expect(await d.rpc("priv_getTransactionReceipt", hash)).toMatchObject({ status: "0x0" });
    }
    const logs = await Promise.all([a, b, c, d].map(({ rpc }) => rpc("priv_getLogs", group, {})));
    expect(logs).toEqual(logs.map(() => logs[0]));
  });
});
