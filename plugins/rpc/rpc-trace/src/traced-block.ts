import type { BlockReader, QueryCall, SealedBlock } from "@plinth/core";
import type { BlockReplay } from "@plinth/core/chain";
import { type FlatTrace, FlatTracer, Pace, placed, replayTo, yielding } from "@plinth/kit-trace";

/** The caller waiting for traces. */
export type Caller = Pick<QueryCall, "client" | "compatibility">;

/** The traces of a block, transaction by transaction; none if it cannot be re-executed. */
export async function* tracesOfBlock(
  blocks: BlockReader,
  block: SealedBlock,
  caller: Caller,
): AsyncGenerator<readonly FlatTrace[], undefined> {
  using replay = await blocks.replay(block);
  if (replay === undefined) return;
  const pace = new Pace(caller.client.closed);
  while (replay.transaction !== undefined) {
    yield await tracesOfNext(replay, block, caller);
    await pace.rest();
  }
}

/** The traces of a transaction of a block; none if the block cannot be re-executed. */
export async function tracesOfTransaction(
  blocks: BlockReader,
  { block, index }: { readonly block: SealedBlock; readonly index: number },
  caller: Caller,
): Promise<readonly FlatTrace[]> {
  using replay = await blocks.replay(block);
  if (replay === undefined) return [];
  await replayTo(replay, index, caller.client.closed);
  return await tracesOfNext(replay, block, caller);
}

/** Whether a block can be re-executed and its rewards computed. */
export function isTraceable(blocks: BlockReader, { header }: SealedBlock): boolean {
  const parent = blocks.findHeader(header.parentHash);
  if (header.number === 0n || parent === undefined) return false;
  blocks.verifyStateKept(parent);
  return blocks.hasState(parent);
}

async function tracesOfNext(
  replay: BlockReplay,
  { header }: SealedBlock,
  { client, compatibility }: Caller,
): Promise<readonly FlatTrace[]> {
  const { state, transaction, position } = replay;
  const tracer = new FlatTracer({ state, compatibility, namesCreationMethod: true });
  await replay.run(yielding(tracer, client.closed));
  const place = {
    blockHash: header.hash,
    blockNumber: Number(header.number),
    transactionHash: transaction?.hash ?? null,
    transactionPosition: position,
  };
  return tracer.traces().map((trace) => placed(trace, place));
}
