import {
  type Block,
  type Body,
  decodeRlp,
  type Header,
  InvalidTransaction,
  RlpError,
  type Transaction,
} from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import { bodyFromRlp, decodeHeader, transactionFromRlp } from "@plinth/core/blocks";
import { rlpItems } from "@plinth/core/primitives";
import { readItems } from "../messages/read-items.js";
import type { BftExtraDataCodec } from "./extra-data.js";

/** A block inside a message whose body has not been decoded. */
export interface BlockOutline {
  readonly header: Header;
  /** The items after the header: lists of transactions, of uncles and possibly of withdrawals. */
  readonly body: readonly Uint8Array[];
}

/**
 * The size of a header without its validators and seals, and what each validator adds: its address
 * and a seal.
 */
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_BYTES_PER_VALIDATOR = 128;
/**
 * Uncles and withdrawals together: blocks of BFT engines have no uncles, and hardly any
 * withdrawals.
 */
const MAX_OTHER_BYTES = 64 * 1024;
/** Header, transactions, uncles, withdrawals. */
const BLOCK_ITEMS = { min: 3, max: 4 };

/** The placeholder of a body that has not been decoded. */
export const NO_BODY: Body = { transactions: [], uncles: [] };

/** The header of a block inside a message; throws `RlpError` if it is missing or too large. */
export function readOutline(
  bytes: Uint8Array,
  codec: BftExtraDataCodec,
  maxValidators: number,
): BlockOutline {
  const [first, ...body] = readItems("block", bytes, BLOCK_ITEMS);
  const max = MAX_HEADER_BYTES + MAX_BYTES_PER_VALIDATOR * maxValidators;
  if (first === undefined || first.length > max) {
    throw new RlpError(`block.header: ${first?.length} bytes, expected at most ${max}`);
  }
  const header = decodeHeader(first);
  // Its hashes are computed from the extra data, so that no later step finds malformed bytes.
  codec.decode(header.extraData);
  return { header, body };
}

/** The block of an outline; throws `RlpError` if its body cannot be decoded. */
export function* readBlock({ header, body }: BlockOutline): Steps<Block> {
  const [list, ...others] = body;
  const size = others.reduce((sum, { length }) => sum + length, 0);
  if (list === undefined || size > MAX_OTHER_BYTES) {
    throw new RlpError(`block: ${size} bytes after its transactions`);
  }
  const rest = bodyFromRlp([[], ...others.map((item) => decodeRlp(item))]);
  const transactions: Transaction[] = [];
  for (const item of rlpItems(list)) {
    transactions.push(readTransaction(item));
    yield;
  }
  return { header, body: { ...rest, transactions } };
}

/** Number of transactions of an outline, counted up to `max`. */
export function* countTransactions({ body: [list] }: BlockOutline, max: number): Steps<number> {
  let count = 0;
  if (list === undefined) return count;
  for (const _ of rlpItems(list)) {
    count++;
    if (count > max) break;
    if (count % WALKED_PER_STEP === 0) yield;
  }
  return count;
}

const WALKED_PER_STEP = 256;

function readTransaction(item: Uint8Array): Transaction {
  try {
    return transactionFromRlp(decodeRlp(item));
  } catch (error) {
    if (!(error instanceof InvalidTransaction)) throw error;
    throw new RlpError(`block: ${error.message}`, { cause: error });
  }
}
