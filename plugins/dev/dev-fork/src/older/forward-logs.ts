import { type BlockNumberOrTag, type Hash, RpcError, stream, toQuantity } from "@plinth/core";
import { JsonPieces, RawResult, StreamResult } from "@plinth/core/rpc";
import type { OlderCall } from "./older-call.js";
import { isUpTo } from "./up-to.js";

/** The decoded filter of a search. */
interface Filter {
  readonly fromBlock: BlockNumberOrTag;
  readonly toBlock: BlockNumberOrTag;
  readonly blockHash?: Hash | undefined;
}

/** Logs: those of older blocks from the other node, the others from this chain. */
export async function forwardLogs(call: OlderCall): Promise<unknown> {
  const { blocks, older, params, run, forward, reply } = call;
  const filter = params.filter as Filter;
  if (filter.blockHash !== undefined) {
    const header = blocks.findHeader(filter.blockHash);
    return header !== undefined && header.number >= older.first ? run() : logsUpTo(call);
  }
  const from = numberOf(filter.fromBlock);
  if (from === undefined || from >= older.first) return run();
  const to = numberOf(filter.toBlock);
  if (to !== undefined && to < older.first) return reply(await forward());
  const [sent] = call.sent;
  const last = toQuantity(older.first - 1n);
  const theirs = toList(await forward([{ ...Object(sent), toBlock: last }]));
  const ours = await run({ filter: { ...filter, fromBlock: older.first } });
  if (theirs.length === 0) return ours;
  return stream(prepend(theirs, piecesOf(ours)));
}

/** The logs of a block, unless it is one that the other node has added after the fork. */
async function logsUpTo({ forward, older, reply }: OlderCall): Promise<unknown> {
  const logs = toList(await forward());
  return reply(logs.filter((log) => isUpTo(older, Object(log).blockNumber)));
}

/** `undefined` for the head, which is never older. */
function numberOf(block: BlockNumberOrTag): bigint | undefined {
  if (block === "earliest") return 0n;
  return typeof block === "bigint" ? block : undefined;
}

function toList(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json;
  throw new RpcError(-32000, "the node that was forked sends no list of logs");
}

async function* piecesOf(result: unknown): AsyncGenerator<string | Uint8Array> {
  if (result instanceof StreamResult) yield* result.chunks;
  else if (result instanceof JsonPieces) yield* result;
  else yield result instanceof RawResult ? result.json : JSON.stringify(result);
}

/** Begins a list in JSON, which comes in pieces, with other entries. */
async function* prepend(
  entries: readonly unknown[],
  pieces: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  const begin = JSON.stringify(entries).slice(0, -1);
  let isFirst = true;
  for await (const piece of pieces) {
    if (!isFirst) yield piece;
    else {
      const text = Buffer.from(piece).toString();
      yield text === "[]" ? `${begin}]` : `${begin},${text.slice(1)}`;
      isFirst = false;
    }
  }
}
