import {
  type BlockNumberOrTag,
  type BlockReader,
  method,
  type QueryCall,
  RpcError,
  stream,
  t,
} from "@plinth/core";
import { findHeader } from "@plinth/kit-rpc";
import { readWhileMade } from "@plinth/kit-trace";
import { CALL_TRACE } from "../examples.js";
import { findTraces } from "../find-traces.js";
import { ListWriter } from "../list-writer.js";
import { traceQuery } from "../trace-query.js";

/** `trace_filter`: the calls of a range of blocks, by sender and recipient. */
export const filter = (maxRange: number) =>
  method({
    offload: "long",
    summary: "Returns the calls of a range of blocks, by sender and recipient.",
    params: { filter: traceQuery },
    result: t.json,
    example: {
      params: [{ fromBlock: "0x1", toBlock: "latest", count: 1 }],
      result: [CALL_TRACE],
    },
    async handle({ filter: query }, call: QueryCall) {
      const blocks = call.chain.blocks;
      const from = numberOf(blocks, query.fromBlock);
      const to = numberOf(blocks, query.toBlock);
      if (maxRange > 0 && to - from > BigInt(maxRange)) {
        throw new RpcError(-32005, "Requested range exceeds maximum RPC range limit");
      }
      const made = readWhileMade(async (sink) => {
        const list = new ListWriter(sink);
        for await (const traces of findTraces(blocks, { from, to }, query, call)) {
          await list.add(traces);
        }
        await list.end();
      }, call.client.closed);
      return stream(await made);
    },
  });

/** A number may be beyond the head; a tag never is. */
function numberOf(blocks: BlockReader, block: BlockNumberOrTag): bigint {
  if (typeof block === "bigint") return block;
  return findHeader(blocks, block)?.number ?? 0n;
}
