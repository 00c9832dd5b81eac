import { type Hash, RpcError } from "@plinth/core";
import { forwardLogs } from "./forward-logs.js";
import type { OlderBlocks } from "./older-blocks.js";
import type { OlderCall } from "./older-call.js";
import { isUpTo } from "./up-to.js";

const HASH_CHARACTERS = 66;
const UNAVAILABLE = -32000;
/** A node that would clone this chain forks it lazily instead. */
const NO_METHOD = -32601;

/** Returns the result of this chain or of the other node, as JSON. */
type Forwarding = (call: OlderCall) => unknown;

/** Of a block by its number or its hash: the other node has those before the fork. */
const byBlock =
  (name: string): Forwarding =>
  async (call) => {
    const { params, run, forward, reply } = call;
    return (await isOlder(params[name], call)) ? reply(await forward()) : run();
  };

/** Of a block by its hash: one that is not here may be of the other node. */
const byHash =
  (name: string): Forwarding =>
  (call) => {
    const { params, blocks, older, run } = call;
    const header = blocks.findHeader(params[name] as Hash);
    const isHere = header !== undefined && header.number >= older.first;
    return isHere ? run() : forwardUnlessLater(call, "number");
  };

/** Of a transaction by its hash: those of this chain first. */
const byTransaction: Forwarding = async (call) =>
  (await call.run()) ?? forwardUnlessLater(call, "blockNumber");

/** A trace of a transaction by its hash. */
const byTracedTransaction: Forwarding = async (call) => {
  const { params, blocks, older, signal, run, forward, reply } = call;
  const hash = params.hash as Hash;
  if (blocks.findTransaction(hash) !== undefined) return run();
  const found = await older.ask("eth_getTransactionByHash", [hash], signal);
  return isUpTo(older, Object(found).blockNumber) ? reply(await forward()) : run();
};

/** What takes a whole state: a lazy fork has none of the blocks that it has added. */
function ofWholeState(what: string, code: number): Forwarding {
  return async (call) => {
    const { params, older, run, forward, reply } = call;
    if (await isOlder(params.block, call)) return reply(await forward());
    if (!older.isLazy) return run();
    throw new RpcError(
      code,
      `a lazy fork has no ${what} of blocks from ${older.first} on: their state roots cover what was written here only (--fork-mode=CLONE)`,
    );
  };
}

/** Traces of a range of blocks: none that has blocks of both nodes. */
const traceFilter: Forwarding = async ({ params, older, run, forward, reply }) => {
  const { fromBlock, toBlock } = Object(params.filter);
  return isNumberOlder(fromBlock, older) && isNumberOlder(toBlock, older)
    ? reply(await forward())
    : run();
};

/** The methods that have results of older blocks. */
export const FORWARDED: Readonly<Record<string, Forwarding>> = {
  eth_getBlockByNumber: byBlock("block"),
  eth_getHeaderByNumber: byBlock("block"),
  eth_getBlockReceipts: byBlock("block"),
  eth_getBlockTransactionCountByNumber: byBlock("block"),
  eth_getTransactionByBlockNumberAndIndex: byBlock("block"),
  eth_getUncleCountByBlockNumber: byBlock("block"),
  eth_getUncleByBlockNumberAndIndex: byBlock("block"),
  eth_getBalance: byBlock("block"),
  eth_getCode: byBlock("block"),
  eth_getStorageAt: byBlock("block"),
  eth_getTransactionCount: byBlock("block"),
  eth_call: byBlock("block"),
  eth_estimateGas: byBlock("block"),
  eth_createAccessList: byBlock("block"),
  eth_getProof: ofWholeState("proofs", UNAVAILABLE),
  debug_accountRange: ofWholeState("list of accounts", NO_METHOD),
  debug_storageRangeAt: ofWholeState("list of slots", NO_METHOD),
  debug_traceCall: byBlock("block"),
  debug_traceBlockByNumber: byBlock("block"),
  debug_traceBlockByHash: byBlock("hash"),
  debug_traceTransaction: byTracedTransaction,
  trace_block: byBlock("block"),
  trace_call: byBlock("block"),
  trace_callMany: byBlock("block"),
  trace_replayBlockTransactions: byBlock("block"),
  trace_filter: traceFilter,
  trace_get: byTracedTransaction,
  trace_transaction: byTracedTransaction,
  eth_getBlockByHash: byHash("hash"),
  eth_getHeaderByHash: byHash("hash"),
  eth_getTransactionByHash: byTransaction,
  eth_getTransactionReceipt: byTransaction,
  eth_getLogs: forwardLogs,
};

async function isOlder(id: unknown, { blocks, older, signal }: OlderCall): Promise<boolean> {
  if (typeof id === "bigint" || id === "earliest") return isNumberOlder(id, older);
  const hash: unknown = typeof id === "object" ? Object(id).canonical : id;
  if (typeof hash !== "string" || hash.length !== HASH_CHARACTERS) return false;
  const header = blocks.findHeader(hash as Hash);
  if (header !== undefined) return header.number < older.first;
  const found = await older.ask("eth_getBlockByHash", [hash, false], signal);
  return isUpTo(older, Object(found).number);
}

function isNumberOlder(block: unknown, older: OlderBlocks): boolean {
  if (block === "earliest") return true;
  return typeof block === "bigint" && block >= 0n && block < older.first;
}

/** The other node continues as well: its later blocks are not of this chain. */
async function forwardUnlessLater(
  { forward, older, reply }: Pick<OlderCall, "forward" | "older" | "reply">,
  member: "number" | "blockNumber",
): Promise<unknown> {
  const found = await forward();
  return isUpTo(older, Object(found)[member]) ? reply(found) : null;
}
