import { type Hash, Yielder } from "@plinth/core";
import { flexibleKeysOf, flexibleMarkersOf } from "../markers/marker.js";
import type { ReplaySettings } from "./replay-history.js";

/** Number of blocks that are searched, ending before the addition. */
const MOST_BLOCKS = 1000n;

/** An addition that carries a history, in the block that names it. */
export interface NamedAddition {
  readonly marker: Hash;
  readonly payload: Uint8Array;
  readonly number: bigint;
}

/** State root of a group after its history, and the last block of that history. */
export interface AfterHistory {
  readonly root: Hash;
  readonly last: bigint;
}

/**
 * The block in which members executed an addition before the marker that carries its history.
 *
 * Anyone can name its payload in another marker without the history: members execute it then, and the added node cannot.
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
    // Checking the first in a block is enough: if it is rejected, later copies are, too.
    const first = block && flexibleMarkersOf(block).find((other) => isSame(other.payloadKey, key));
    if (block !== undefined && first !== undefined) {
      const { hash: blockHash } = block.header;
      const items = [{ index: first.index, payload }];
      const { receipts, entries } = await run({ blockHash, root, items });
      // The thread that created them treats them as written.
      await store.keepState(entries);
      if (receipts[0]?.status === 1) return at;
    }
    await yielder.yield();
  }
  return undefined;
}

/** Whether two markers of the chain name the same payload. */
export function isOfOnePayload(one: Hash, other: Hash, blocks: ReplaySettings["blocks"]): boolean {
  return one === other || isSame(getPayloadKey(one, blocks), getPayloadKey(other, blocks));
}

function getPayloadKey(marker: Hash, blocks: ReplaySettings["blocks"]): Uint8Array {
  const place = blocks.findTransaction(marker);
  const named = place && blocks.findBlock(place.blockHash)?.body.transactions[place.index];
  const keys = named && flexibleKeysOf(named);
  if (keys === undefined) throw new Error(`${marker} is not a marker of the chain`);
  return keys.payloadKey;
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
