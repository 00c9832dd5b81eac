import { RpcError } from "@plinth/core";
import type { Dev } from "./dev.js";

/** A call that made more would keep its caller waiting for minutes. */
const MAX_BLOCKS = 10_000n;

/** Makes blocks, the first at the chain's time and each of the others so many seconds later. */
export async function mineBlocks(
  { count, seconds }: { readonly count: bigint; readonly seconds: bigint },
  { dev }: Dev,
): Promise<void> {
  if (count > MAX_BLOCKS) throw RpcError.invalidParams(`blocks: ${count}, at most ${MAX_BLOCKS}`);
  let timestamp: bigint | undefined;
  for (let made = 0n; made < count; made++) {
    const header = await dev.mine(timestamp);
    timestamp = header.timestamp + (seconds > 0n ? seconds : 1n);
  }
}

/** Throws unless a block at that time can follow the head. */
export function verifyTimestamp(timestamp: bigint, { blocks }: Dev): void {
  const { timestamp: latest } = blocks.head();
  if (timestamp > latest) return;
  throw RpcError.invalidParams(
    `timestamp: ${timestamp} is not after the latest block's, ${latest}`,
  );
}
