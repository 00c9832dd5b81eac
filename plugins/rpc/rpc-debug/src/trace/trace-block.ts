import {
  type Block,
  type BlockReader,
  type Compatibility,
  type Hash,
  type QueryCall,
  RpcError,
  type SealedBlock,
  stream,
} from "@plinth/core";
import type { BlockReplay } from "@plinth/core/chain";
import type { StreamResult } from "@plinth/core/rpc";
import { Pace, readWhileMade, replayTo, type Sink, type TracePlace } from "@plinth/kit-trace";
import { DIFFERENCES } from "../differences.js";
import { isAfterMerge } from "./is-after-merge.js";
import { type TraceOptions, verifyTracer } from "./trace-options.js";
import { writeTrace } from "./write-trace.js";

/** The trace options, and the caller. */
export interface TraceCall {
  readonly options: TraceOptions;
  readonly call: Pick<QueryCall, "client" | "compatibility">;
}

/** Same, with the block of the transactions, if it has a hash. */
interface BlockTraceCall extends TraceCall {
  readonly blockHash?: Hash;
}

/** The traces of every transaction of a block; null if the block cannot be re-executed. */
export async function traceBlock(
  blocks: BlockReader,
  block: Block,
  request: BlockTraceCall,
): Promise<StreamResult | null> {
  verifyTracer(request.options, request.call.compatibility);
  const replay = await blocks.replay(block);
  if (replay === undefined) return notTraceable(request.call.compatibility, "state not available");
  const made = readWhileMade(async (sink) => {
    using _ = replay;
    await writeBlock(blocks, replay, request, sink);
  }, request.call.client.closed);
  return stream(await made);
}

/** The trace of one transaction of a block; null if the block cannot be re-executed. */
export async function traceTransaction(
  blocks: BlockReader,
  { block, index }: { readonly block: SealedBlock; readonly index: number },
  request: TraceCall,
): Promise<StreamResult | null> {
  verifyTracer(request.options, request.call.compatibility);
  const replay = await blocks.replay(block);
  if (replay === undefined) return notTraceable(request.call.compatibility, "state not available");
  const made = readWhileMade(async (sink) => {
    using _ = replay;
    await replayTo(replay, index, request.call.client.closed);
    await writeNext(blocks, replay, { ...request, blockHash: block.header.hash }, sink);
  }, request.call.client.closed);
  return stream(await made);
}

/** The traces of a block of this node; the genesis block cannot be re-executed. */
export async function traceKnownBlock(
  blocks: BlockReader,
  block: SealedBlock,
  request: TraceCall,
): Promise<StreamResult | null> {
  const { hash, number } = block.header;
  if (number > 0n) return traceBlock(blocks, block, { ...request, blockHash: hash });
  return notTraceable(request.call.compatibility, "genesis is not traceable");
}

/** The response if a block cannot be traced. */
export function notTraceable({ mode }: Compatibility, reason: string): null {
  if (DIFFERENCES[mode].refusesUnknown) throw new RpcError(-32000, reason);
  return null;
}

async function writeBlock(
  blocks: BlockReader,
  replay: BlockReplay,
  request: BlockTraceCall,
  sink: Sink,
): Promise<void> {
  const differences = DIFFERENCES[request.call.compatibility.mode];
  const isNamed = differences.knowsTracers && request.options.tracer !== undefined;
  const namesTransactions = differences.namesTransactions || isNamed;
  const pace = new Pace(request.call.client.closed);
  await sink.write("[");
  for (let { transaction } = replay; transaction !== undefined; { transaction } = replay) {
    const separator = replay.position === 0 ? "" : ",";
    const name = namesTransactions ? `{"txHash":"${transaction.hash}","result":` : "";
    await sink.write(separator + name);
    await writeNext(blocks, replay, request, sink);
    if (namesTransactions) await sink.write("}");
    await pace.rest();
  }
  await sink.write("]");
}

async function writeNext(
  blocks: BlockReader,
  replay: BlockReplay,
  { options, call, blockHash }: BlockTraceCall,
  sink: Sink,
): Promise<void> {
  const { client, compatibility } = call;
  const isMerged = isAfterMerge(blocks, replay);
  const settings = { options, compatibility, isMerged, signal: client.closed };
  const { transaction, state, context } = replay;
  if (transaction === undefined) return;
  const { sender, to, gasLimit } = transaction;
  const { feeRecipient } = context;
  const place = blockHash && placeOf(replay, blockHash);
  const run = { state, sender, to, gasLimit, feeRecipient, compatibility, ...(place && { place }) };
  await writeTrace((createTracer) => replay.run(createTracer(run)), settings, sink);
}

function placeOf({ context, transaction, position }: BlockReplay, blockHash: Hash): TracePlace {
  return {
    blockHash,
    blockNumber: Number(context.number),
    transactionHash: transaction?.hash ?? null,
    transactionPosition: position,
  };
}
