import {
  type BlockId,
  DecodeError,
  type Hash,
  method,
  type QueryCall,
  RpcError,
  t,
  ZERO_HASH,
} from "@plinth/core";
import type { RangedAccount } from "@plinth/core/chain";
import { findHeader, prepareTries } from "@plinth/kit-rpc";
import { DIFFERENCES } from "../differences.js";
import { getBlock, stateUnavailable } from "../find.js";
import { takePage } from "../page.js";
import { limit, startKey, transactionIndex } from "../params.js";

const INVALID_INDEX = "Invalid transaction index params";
const NO_ADDRESS = `0x${"00".repeat(20)}`;

/** Start of a page of accounts. */
interface PageStart {
  readonly start: Hash;
  readonly limit: number;
}

/** `debug_accountRange`: accounts after a transaction of a block, ordered by hash. */
export const accountRange = method({
  offload: "long",
  summary:
    "Returns accounts after a transaction of a block, ordered by address hash, from a key on.",
  params: {
    block: t.blockId,
    index: t.json,
    start: startKey("Invalid address hash params"),
    limit: limit("Invalid max results params"),
  },
  result: t.json,
  example: {
    params: ["latest", 0, `0x${"00".repeat(32)}`, 10],
    result: { addressMap: {}, nextKey: "0x" },
  },
  async handle({ block, index, ...page }, call: QueryCall) {
    const { rangesAfterTransactions } = DIFFERENCES[call.compatibility.mode];
    return rangesAfterTransactions
      ? afterTransaction(call, { block, index: readIndex(index) }, page)
      : afterBlock(call, block, page);
  },
});

/** The accounts after the transaction, or after the block if it has none. */
async function afterTransaction(
  call: QueryCall,
  { block: id, index }: { readonly block: BlockId; readonly index: number },
  { start, limit }: PageStart,
) {
  const { blocks } = call.chain;
  const block = getBlock(blocks, id);
  const { length } = block.body.transactions;
  if (length === 0 && index === 0) {
    blocks.verifyStateKept(block.header);
    if (!blocks.hasState(block.header)) throw stateUnavailable();
    using _tries = await prepareTries(call, block.header);
    return describe(blocks.accountsFrom(block.header, start), limit);
  }
  if (index < 0 || index >= length) {
    throw RpcError.invalidParams(
      `${INVALID_INDEX}: index: expected one of ${length} transactions, not ${index}`,
    );
  }
  using replay = await blocks.replay(block);
  if (replay === undefined) throw stateUnavailable();
  await replay.runTo(index + 1);
  using _tries = await prepareTries(call, replay);
  return describe(blocks.accountsIn(replay, start), limit);
}

/** The accounts after the block, regardless of the index; none if the block is unknown. */
async function afterBlock(call: QueryCall, id: BlockId, { start, limit }: PageStart) {
  const { blocks } = call.chain;
  const header = findHeader(blocks, id);
  if (header === undefined) return { addressMap: {} };
  blocks.verifyStateKept(header);
  if (!blocks.hasState(header)) return { addressMap: {} };
  using _tries = await prepareTries(call, header);
  return describe(blocks.accountsFrom(header, start), limit);
}

function describe(accounts: Iterable<RangedAccount>, limit: number) {
  const { page, next } = takePage(accounts, limit);
  return {
    addressMap: Object.fromEntries(page.map(({ key, address }) => [key, address ?? NO_ADDRESS])),
    nextKey: next?.key ?? ZERO_HASH,
  };
}

/** Besu accepts any JSON there. */
function readIndex(json: unknown): number {
  try {
    return transactionIndex.decode(json);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw RpcError.invalidParams(`${INVALID_INDEX}: index: expected ${error.expected}`);
  }
}
