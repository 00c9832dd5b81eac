import { type Hash, type QueryCall, RpcError } from "@plinth/core";
import type { EvmResult } from "@plinth/core/evm";
import { findTransaction, replayTo, yielding } from "@plinth/kit-trace";
import { CallList } from "./call-list.js";

/** A transaction that was executed again. */
export interface RunTransaction {
  readonly result: EvmResult;
  readonly list: CallList;
}

/** Executes a transaction of the chain again; an error if it is unknown, or cannot be executed. */
export async function runTransaction(
  hash: Hash,
  { chain: { blocks }, client }: Pick<QueryCall, "chain" | "client">,
): Promise<RunTransaction> {
  const found = findTransaction(blocks, hash);
  if (found === undefined) {
    throw new RpcError(-32000, `Transaction not found: no block of the chain has ${hash}`);
  }
  const { block, index } = found;
  using replay = await blocks.replay(block);
  if (replay === undefined) {
    const { number } = block.header;
    throw new RpcError(-32000, `The state before block ${number} is not available on this node`);
  }
  await replayTo(replay, index, client.closed);
  const list = new CallList(replay.state);
  return { result: await replay.run(yielding(list, client.closed)), list };
}
