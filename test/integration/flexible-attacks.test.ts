import { decodeRlp, encodeRlp, type Hash, type Hex, hexToBytes, toHex } from "@plinth/core";
import { afterEach, describe, expect, it } from "vitest";
import {
  type FlexibleMember,
  type FlexibleMessage,
  FlexibleNetwork,
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

/** Two members with a group that keeps 7, and a stranger who knows the markers of the chain and the id of the group. */
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

/** What a stranger says that a group has done. */
type Claim = FlexibleMessage & { readonly marker: Hash };

/** What only a stranger's own node would run. */
const byStranger = <T extends FlexibleMessage>(message: T, nonce: bigint) => ({
  ...message,
  signer: STRANGER_KEY,
  nonce,
});

/** Sends a payload that a node would not send, and a history that is made up; returns what a marker must name. */
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

/** The same with the states that a forger works out; here the victim says what they are. */
async function addForged(
  network: FlexibleNetwork,
  stranger: FlexibleMember,
  {
    addition,
    victim,
    claims,
  }: {
    readonly addition: FlexibleMessage;
    readonly victim: FlexibleMember;
    readonly claims: readonly Claim[];
  },
): Promise<string> {
  const roots = claims.map(() => toHex(ZERO));
  for (;;) {
    const claimed = claims.map((claim, at) => ({ ...claim, root: roots[at] as Hash }));
    const [hash] = await network.mine(await forge(stranger, addition, victim, claimed));
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
  it("does not replace receipts of a group by the history of another, which names its markers", async () => {
    const { network, a, stranger, group, stored } = await openGroup();
    const before = await a.rpc("priv_getLogs", group, {});
    const receipt = await a.rpc("priv_getTransactionReceipt", stored.commitmentHash);
    const fake = newGroup();

    await addForged(network, stranger, {
      addition: byStranger(manage.add(fake, a), 1n),
      victim: a,
      claims: [{ ...byStranger(manage.add(fake, stranger, a), 0n), marker: stored.commitmentHash }],
    });

    expect(await a.rpc("priv_getTransactionReceipt", stored.commitmentHash)).toEqual(receipt);
    expect(await a.rpc("priv_getLogs", group, {})).toEqual(before);
  });
});
