import { type Hash, loadCrypto } from "@plinth/core";
import { RunTooLong } from "@plinth/core/evm";
import { toBase64 } from "@plinth/kit-enclave";
import { beforeAll, describe, expect, it } from "vitest";
import { FLEXIBLE_MARKER_ADDRESS } from "../markers/marker.js";
import { signPrivateTransaction } from "../transaction/private-transaction.js";
import { encodeHistory } from "./history.js";
import { HistoryRefused, type Replayed, replayHistory } from "./replay-history.js";

const GROUP = new Uint8Array(32).fill(9);
const hashOf = (byte: number): Hash => `0x${byte.toString(16).padStart(2, "0").repeat(32)}`;
/** The marker of block 1 is `hashOf(1)`, and so on; the state after it is `hashOf(100 + 1)`. */
const rootOf = (number: number) => hashOf(100 + number);

beforeAll(() => loadCrypto());

describe("the history of a flexible group", () => {
  it.each([
    ["nothing has run here", [], [1, 2, 3], [1, 2, 3]],
    ["the first part has run here", [1, 2], [1, 2, 3], [3]],
    ["one in the middle is missing", [1, 3], [1, 2, 3], [2, 3]],
    ["something else has run here", [1, 2, 4], [1, 3], [3]],
  ])("is executed where it is missing: %s", async (_, own, sent, expected) => {
    const { replay, ran } = open(own);

    expect(await replay(sent)).toMatchObject({ root: rootOf(sent.at(-1) ?? 0) });
    expect(ran).toEqual(expected);
  });

  it.each([
    ["all of it", [1, 2, 3], [1, 2, 3], 0],
    ["more", [1, 2, 3], [1], 2],
  ])("is not executed if %s has run here", async (_, own, sent, lacks) => {
    const { replay, ran } = open(own);

    expect(await replay(sent)).toEqual({ lacks });
    expect(ran).toEqual([]);
  });

  it("reverts transactions that this node has executed and the members have not", async () => {
    const { replay } = open([1, 2, 4]);

    const { blocks } = (await replay([1, 3])) as Replayed;

    const kept = blocks.map(({ place, groupBlock, receipts }) => ({
      number: Number(place.number),
      markers: groupBlock?.markers,
      status: receipts.map(({ receipt }) => receipt.status),
    }));
    expect(kept).toEqual([
      { number: 2, markers: undefined, status: [0] },
      { number: 4, markers: undefined, status: [0] },
      { number: 3, markers: [hashOf(3)], status: [1] },
    ]);
  });

  it.each([
    ["of another group", [1], [2, 3], MEMBER, "it belongs to another group"],
    [
      "from a sender who is not a member here",
      [1],
      [1, 2],
      STRANGER,
      "its sender is not a member of the group as of this node",
    ],
  ])("is rejected without being executed if it is %s", async (_, own, sent, sender, reason) => {
    const { replay, ran } = open(own);

    await expect(replay(sent, { sender })).rejects.toThrow(reason);

    expect(ran).toEqual([]);
  });

  it("is accepted from a non-member if this node was removed and nothing is reverted", async () => {
    const removed = { sender: STRANGER, nodeKey: toBase64(REMOVED) };
    const { replay } = open([1, 2]);

    expect(await replay([1, 2, 3], removed)).toMatchObject({ root: rootOf(3) });
    await expect(replay([1, 3], removed)).rejects.toThrow("its sender is not a member");
  });

  it("is abandoned if it takes too long on the last attempt, and retried before that", async () => {
    const { replay } = open([], () => {
      throw new RunTooLong(1000);
    });

    await expect(replay([1])).rejects.toThrow(RunTooLong);
    await expect(replay([1], { isLastTry: true })).rejects.toThrow(HistoryRefused);
  });

  it("is rejected if its receipts would exceed the memory limit", async () => {
    const data = { length: 150 * 1024 * 1024 } as Uint8Array;
    const { replay, ran } = open([], () => ({ status: 1, output: data, logs: [] }));

    await expect(replay([1, 2, 3])).rejects.toThrow("its receipts take more than 268435456 bytes");

    expect(ran).toEqual([1, 2]);
  });
});

const MEMBER = new Uint8Array(32).fill(1);
const STRANGER = new Uint8Array(32).fill(2);
const REMOVED = new Uint8Array(32).fill(3);

/** A node on whose chain blocks 1 to 9 have one marker each, and that has executed some of them. */
function open(own: readonly number[], receiptOf = (): object => ({ status: 1, ...EMPTY })) {
  const ran: number[] = [];
  const blockOf = (number: number) => ({
    header: { number: BigInt(number), hash: hashOf(number) },
    body: { transactions: [{ to: FLEXIBLE_MARKER_ADDRESS, data: new Uint8Array(32) }] },
  });
  const numberOf = (hash: Hash) => Number.parseInt(hash.slice(2, 4), 16);
  const settings = {
    store: {
      async *groupBlocks() {
        for (const number of own) {
          const place = { group: GROUP, number: BigInt(number), blockHash: hashOf(number) };
          const root = rootOf(number);
          yield { ...place, root, markers: [hashOf(number)], roots: [root] };
        }
      },
      isCanonical: () => true,
      keepState: async () => {},
    },
    blocks: {
      findTransaction: (hash: Hash) => ({ blockHash: hash, index: 0 }),
      findBlock: (hash: Hash) => blockOf(numberOf(hash)),
    },
    members: async () => [toBase64(MEMBER)],
    async run({ blockHash }: { blockHash: Hash }) {
      ran.push(numberOf(blockHash));
      const root = rootOf(numberOf(blockHash));
      return { root, roots: [root], receipts: [receiptOf()], entries: [] };
    },
  };
  const replay = (
    numbers: readonly number[],
    {
      sender = MEMBER,
      nodeKey = toBase64(MEMBER),
      isLastTry = false,
    }: { sender?: Uint8Array; nodeKey?: string; isLastTry?: boolean } = {},
  ) =>
    replayHistory({ payload: historyOf(numbers), sender }, { group: GROUP, number: 10n }, {
      ...settings,
      nodeKey,
      isLastTry,
    } as never);
  return { replay, ran };
}

const EMPTY = { output: new Uint8Array(), logs: [] };

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
