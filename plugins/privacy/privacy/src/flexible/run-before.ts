import { type Hash, Yielder } from "@plinth/core";
import { flexibleKeysOf, flexibleMarkersOf } from "../markers/marker.js";
import type { ReplaySettings } from "./replay-history.js";

/** Blocks that are searched, the last before the addition. */
const MOST_BLOCKS = 1000n;

/** An addition that brings a history, in the block that names it. */
export interface NamedAddition {
  readonly marker: Hash;
  readonly payload: Uint8Array;
  readonly number: bigint;
}

/** The state of a group after its history, and the last block of that. */
export interface AfterHistory {
  readonly root: Hash;
  readonly last: bigint;
}

/**
 * The block in which the members of a group have run an addition before the one that brings its history.
 *
 * Anyone can name its payload in a marker of their own, without the history: members run it then, and who is added cannot.
 */
export async function findRunBefore(
  { marker, payload, number }: NamedAddition,
  { root, last }: AfterHistory,
  { blocks, run, store }: Pick<ReplaySettings, "blocks" | "run" | "store">,
): Promise<bigint | undefined> {
  const key = getPayloadKey(marker, blocks);
  const yielder = new Yielder();
  const from = number - MOST_BLOCKS > last ? number - MOST_BLOCKS : last;
  for (let at = from; at < number; at++) {
    const block = blocks.findBlock(at);
    // The first of a block is enough: where it does not run, the same ones after it do not.
    const first = block && flexibleMarkersOf(block).find((other) => isSame(other.payloadKey, key));
    if (block !== undefined && first !== undefined) {
      const { hash: blockHash } = block.header;
      const items = [{ index: first.index, payload }];
      const { receipts, entries } = await run({ blockHash, root, items });
      // The thread that made them takes them for written.
      await store.keepState(entries);
      if (receipts[0]?.status === 1) return at;
    }
    await yielder.yield();
  }
  return undefined;
}

/** Whether two markers of the chain name one payload. */
export function isOfOnePayload(one: Hash, other: Hash, blocks: ReplaySettings["blocks"]): boolean {
  return one === other || isSame(getPayloadKey(one, blocks), getPayloadKey(other, blocks));
}

function getPayloadKey(marker: Hash, blocks: ReplaySettings["blocks"]): Uint8Array {
  const place = blocks.findTransaction(marker);
  const named = place && blocks.findBlock(place.blockHash)?.body.transactions[place.index];
  const keys = named && flexibleKeysOf(named);
  if (keys === undefined) throw new Error(`${marker} is no marker of the chain`);
  return keys.payloadKey;
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
