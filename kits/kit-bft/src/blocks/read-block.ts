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

/** A block inside of a message whose body was not read. */
export interface BlockOutline {
  readonly header: Header;
  /** The items after the header: lists of transactions, of uncles and perhaps of withdrawals. */
  readonly body: readonly Uint8Array[];
}

/** A header without its validators and seals, and what each validator adds: its address and a seal. */
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_BYTES_PER_VALIDATOR = 128;
/** Uncles and withdrawals together: blocks of BFT engines have no uncles, and hardly any withdrawals. */
const MAX_OTHER_BYTES = 64 * 1024;
/** Header, transactions, uncles, withdrawals. */
const BLOCK_ITEMS = { min: 3, max: 4 };

/** What stands in for a body that was not read. */
export const NO_BODY: Body = { transactions: [], uncles: [] };

/** The header of a block inside of a message; throws `RlpError` when there is none, or it is too large. */
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
  // Its hashes are made from the extra data, so that no later step meets bytes that are none.
  codec.decode(header.extraData);
  return { header, body };
}

/** The block of an outline; throws `RlpError` when its body cannot be read, whatever is wrong with it. */
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

/** How many transactions an outline has, counted no further than `max`. */
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
