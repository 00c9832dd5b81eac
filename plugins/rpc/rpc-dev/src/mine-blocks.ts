import { setImmediate } from "node:timers/promises";
import { RpcError } from "@plinth/core";
import { MAX_UINT64 } from "@plinth/core/blocks";
import type { Dev } from "./dev.js";
import { withRpcErrors } from "./with-rpc-errors.js";

/** A call that mined more would keep its caller waiting for minutes. */
const MAX_BLOCKS = 1_000_000n;

/** Mines blocks, the first at the chain's time, the others at a fixed interval or by the clock. */
export async function mineBlocks(
  { count, seconds }: { readonly count: bigint; readonly seconds?: bigint | undefined },
  { dev, blocks }: Dev,
): Promise<void> {
  if (count > MAX_BLOCKS) throw RpcError.invalidParams(`blocks: ${count}, at most ${MAX_BLOCKS}`);
  const wanted = seconds ?? dev.time.step ?? 1n;
  const step = wanted > 0n ? wanted : 1n;
  verifyLastTime({ count, step }, (await blocks.next()).timestamp);
  let last = -1n;
  for (let made = 0n; made < count; made++) {
    const { number, timestamp } = await withRpcErrors(dev.mine());
    if (number <= last) throw setBack(made, count);
    last = number;
    // An in-memory database responds at once: without a pause no other caller would be served.
    await setImmediate();
    // The chain's clock continues from there.
    if (made + 1n < count) dev.time = { ...dev.time, next: timestamp + step };
  }
}

/** Another call has rewound the chain, so the rest would be mined on another one. */
function setBack(made: bigint, count: bigint): RpcError {
  return new RpcError(
    -32000,
    `mining was aborted after ${made} of ${count} blocks: the chain was rewound meanwhile`,
  );
}

/** Throws unless a block at that time can follow the head. */
export function verifyTimestamp(timestamp: bigint, { blocks }: Dev): void {
  const { timestamp: latest } = blocks.head();
  if (timestamp > latest) return;
  throw RpcError.invalidParams(
    `timestamp: ${timestamp} is not after the latest block's, ${latest}`,
  );
}

/** Throws when the timestamp of the last block would not fit in 64 bits. */
function verifyLastTime({ count, step }: { count: bigint; step: bigint }, first: bigint): void {
  const last = first + (count - 1n) * step;
  if (last <= MAX_UINT64) return;
  throw RpcError.invalidParams(
    `seconds: ${step}: the last block would be at ${last}, at most ${MAX_UINT64}`,
  );
}
