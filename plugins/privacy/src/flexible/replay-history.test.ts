import { type Hash, loadCrypto } from "@plinth/core";
import { beforeAll, describe, expect, it } from "vitest";
import { FLEXIBLE_MARKER_ADDRESS } from "../marker.js";
import { signPrivateTransaction } from "../private-transaction.js";
import { encodeHistory } from "./history.js";
import { replayHistories } from "./replay-history.js";

const GROUP = new Uint8Array(32).fill(9);
const hashOf = (byte: number): Hash => `0x${byte.toString(16).padStart(2, "0").repeat(32)}`;
/** The marker of block 1 is `hashOf(1)`, and so on; the state after it is `hashOf(100 + 1)`. */
const rootOf = (number: number) => hashOf(100 + number);

beforeAll(() => loadCrypto());

describe("the history of a flexible group", () => {
  it.each([
    ["nothing is here", [], [1, 2, 3], [1, 2, 3]],
    ["the first part is here", [1, 2], [1, 2, 3], [3]],
    ["all of it is here", [1, 2, 3], [1, 2, 3], []],
    ["more is here", [1, 2, 3], [1, 2], []],
  ])("is run where it is missing: %s", async (_, own, sent, expected) => {
    const { replay, ran } = open(own);

    const { past, refused, root } = await replay(sent);

    expect(ran).toEqual(expected);
    expect(refused.size).toBe(0);
    expect(past?.blocks.map(({ place }) => Number(place.number)) ?? []).toEqual(expected);
    expect(root).toBe(rootOf(Math.max(...own, ...sent)));
  });

  it.each([
    ["has nothing of what is here", [1], [2, 3]],
    ["leaves out the last that is here", [1, 2], [1, 3]],
    ["goes on before the last that is here", [1, 3], [1, 2]],
  ])("is refused, and nothing is run, where it %s", async (_, own, sent) => {
    const { replay, ran } = open(own);

    const { past, refused, root } = await replay(sent);

    expect(refused.get(0)).toBe("it is another history than the one this node has run");
    expect(past).toBeUndefined();
    expect(ran).toEqual([]);
    expect(root).toBe(rootOf(Math.max(...own)));
  });

  it("is run once where two markers of a block name it", async () => {
    const { replay, ran } = open([]);

    const { past } = await replay([1, 2], [1, 2], [1, 2, 3]);

    expect(ran).toEqual([1, 2, 3]);
    expect(past?.key).toEqual(Uint8Array.of(2));
  });
});

/** A node on whose chain blocks 1 to 9 have a marker each, and that has run some of them. */
function open(own: readonly number[]) {
  const ran: number[] = [];
  const blockOf = (number: number) => ({
    header: { number: BigInt(number), hash: hashOf(number) },
    body: { transactions: [{ to: FLEXIBLE_MARKER_ADDRESS, data: new Uint8Array(32) }] },
  });
  const numberOf = (hash: Hash) => Number.parseInt(hash.slice(2, 4), 16);
  const last = own.at(-1);
  const settings = {
    store: {
      findGroupBlock: ({ number }: { number: bigint }) =>
        own.includes(Number(number))
          ? { root: rootOf(Number(number)), markers: [hashOf(Number(number))], roots: [] }
          : undefined,
      findLastChange: async () =>
        last && { number: BigInt(last), blockHash: hashOf(last), root: rootOf(last) },
      isCanonical: () => true,
      keepState: async () => {},
    },
    blocks: {
      findTransaction: (hash: Hash) => ({ blockHash: hash, index: 0 }),
      findBlock: (hash: Hash) => blockOf(numberOf(hash)),
    },
    async run({ blockHash }: { blockHash: Hash }) {
      ran.push(numberOf(blockHash));
      const root = rootOf(numberOf(blockHash));
      return { root, roots: [root], receipts: [{ status: 1 }], entries: [] };
    },
  };
  const replay = (...histories: readonly (readonly number[])[]) =>
    replayHistories(
      histories.map((numbers, index) => ({
        index,
        history: { key: Uint8Array.of(index), payload: historyOf(numbers) },
      })),
      { group: GROUP, number: 10n, root: rootOf(last ?? 0) },
      settings as never,
    );
  return { replay, ran };
}

function historyOf(numbers: readonly number[]): Uint8Array {
  const encoded = signPrivateTransaction(
    {
      nonce: 0n,
      gasPrice: 0n,
      gasLimit: 1n,
      value: 0n,
      data: new Uint8Array(),
      privateFrom: new Uint8Array(32).fill(1),
      privacyGroupId: GROUP,
      restriction: "restricted",
    },
    new Uint8Array(32).fill(7),
  );
  return encodeHistory(
    numbers.map((number) => ({ encoded, marker: hashOf(number), root: rootOf(number) })),
  );
}
