import { type BlockReader, type Hash, type SealedBlock, stream } from "@plinth/core";
import type { BlockReplay } from "@plinth/core/chain";
import type { StreamResult } from "@plinth/core/rpc";
import { Pace, readWhileMade, replayTo } from "@plinth/kit-trace";
import type { TraceType } from "./trace-types.js";
import type { Caller } from "./traced-block.js";
import { type ResultSettings, type Traceable, writeResult } from "./write-result.js";

/** The requested traces, and the caller. */
export interface ReplayRequest {
  readonly types: ReadonlySet<TraceType>;
  readonly caller: Caller;
}

/** Traces of every transaction of a block; `undefined` if the block cannot be re-executed. */
export async function replayBlock(
  blocks: BlockReader,
  block: SealedBlock,
  request: ReplayRequest,
): Promise<StreamResult | undefined> {
  const replay = await blocks.replay(block);
  if (replay === undefined) return undefined;
  const { closed } = request.caller.client;
  const made = readWhileMade(async (sink) => {
    using _ = replay;
    const pace = new Pace(closed);
    await sink.write("[");
    for (let { transaction } = replay; transaction !== undefined; { transaction } = replay) {
      if (replay.position > 0) await sink.write(",");
      await writeResult(runOf(replay), settingsOf(transaction.hash, request), sink);
      await pace.rest();
    }
    await sink.write("]");
  }, closed);
  return stream(await made);
}

/** Traces of one transaction of a block; `undefined` if the block cannot be re-executed. */
export async function replayTransaction(
  blocks: BlockReader,
  { block, index }: { readonly block: SealedBlock; readonly index: number },
  request: ReplayRequest,
): Promise<StreamResult | undefined> {
  const replay = await blocks.replay(block);
  if (replay === undefined) return undefined;
  const { closed } = request.caller.client;
  const made = readWhileMade(async (sink) => {
    using _ = replay;
    await replayTo(replay, index, closed);
    const { transaction } = replay;
    if (transaction === undefined) return;
    await writeResult(runOf(replay), settingsOf(transaction.hash, request), sink);
  }, closed);
  return stream(await made);
}

function runOf(replay: BlockReplay): Traceable {
  return (createTracer) => replay.run(createTracer(replay.state));
}

function settingsOf(transactionHash: Hash, { types, caller }: ReplayRequest): ResultSettings {
  const { client, compatibility } = caller;
  return { types, compatibility, signal: client.closed, transactionHash };
}
