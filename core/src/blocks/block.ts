import type { Address, Hash } from "../primitives/hex.js";
import { keccakHash } from "../primitives/keccak.js";
import { decodeRlp, encodeRlp, type Rlp } from "../primitives/rlp.js";
import { Fields } from "./fields.js";
import { type Header, headerFromRlp, headerToRlp, type SealedHeader } from "./header.js";
import { orderedRoot } from "./ordered-root.js";
import { encodeReceipt, type Receipt } from "./receipt.js";
import { type Transaction, transactionFromRlp, transactionToRlp } from "./transaction.js";
import { type Withdrawal, withdrawalFromRlp, withdrawalToRlp } from "./withdrawals.js";

/** The hash of an empty list: the uncles of a block that has none. */
export const NO_UNCLES_HASH: Hash =
  "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

/** What a block carries beside its header. */
export interface Body {
  readonly transactions: readonly Transaction[];
  readonly uncles: readonly Header[];
  /** EIP-4895; `undefined` before that fork, which is something else than an empty list. */
  readonly withdrawals?: readonly Withdrawal[];
}

/** A header and the body it commits to. */
export interface Block {
  readonly header: Header;
  readonly body: Body;
}

/** A block together with the hash its engine gives it. */
export interface SealedBlock extends Block {
  readonly header: SealedHeader;
}

/** Writes a whole block. */
export function encodeBlock(block: Block): Uint8Array {
  return encodeRlp(blockToRlp(block));
}

/**
 * Reads a whole block.
 *
 * Anything but the one encoding of a block is refused with `RlpError`, in a transaction with `InvalidTransaction`.
 */
export function decodeBlock(bytes: Uint8Array): Block {
  return blockFromRlp(decodeRlp(bytes));
}

/** Writes a block as a list. */
export function blockToRlp({ header, body }: Block): Rlp {
  return [headerToRlp(header), ...bodyItems(body)];
}

/** Reads a block from a list, as `decodeBlock` does from bytes. */
export function blockFromRlp(item: Rlp): Block {
  const fields = new Fields("block", item);
  const header = headerFromRlp(fields.item("header"));
  return { header, body: readBody(fields) };
}

/** Writes a body, for storage and for peers. */
export function encodeBody(body: Body): Uint8Array {
  return encodeRlp(bodyToRlp(body));
}

/** Reads a body; it refuses what `decodeBlock` refuses. Senders that are known are not recovered again. */
export function decodeBody(bytes: Uint8Array, senders?: readonly Address[]): Body {
  return readBody(new Fields("body", decodeRlp(bytes)), senders);
}

/** Writes a body as a list. */
export function bodyToRlp(body: Body): Rlp {
  return bodyItems(body);
}

/** Reads a body from a list, as `decodeBody` does from bytes. */
export function bodyFromRlp(item: Rlp): Body {
  return readBody(new Fields("body", item));
}

/** The root a header has for its transactions. */
export function transactionsRoot(transactions: readonly Transaction[]): Hash {
  return orderedRoot(transactions.map(({ raw }) => raw));
}

/** The root a header has for the receipts of its transactions. */
export function receiptsRoot(receipts: readonly Receipt[]): Hash {
  return orderedRoot(receipts.map(encodeReceipt));
}

/** The root a header has for its withdrawals. */
export function withdrawalsRoot(withdrawals: readonly Withdrawal[]): Hash {
  return orderedRoot(withdrawals.map((withdrawal) => encodeRlp(withdrawalToRlp(withdrawal))));
}

/** The hash a header has for its uncles. */
export function unclesHash(uncles: readonly Header[]): Hash {
  return keccakHash(encodeRlp(uncles.map(headerToRlp)));
}

function bodyItems({ transactions, uncles, withdrawals }: Body): readonly Rlp[] {
  const items = [transactions.map(transactionToRlp), uncles.map(headerToRlp)];
  return withdrawals === undefined ? items : [...items, withdrawals.map(withdrawalToRlp)];
}

function readBody(fields: Fields, senders: readonly Address[] = []): Body {
  const body: Body = {
    transactions: fields
      .list("transactions")
      .map((item, index) => transactionFromRlp(item, senders[index])),
    uncles: fields.list("uncles").map(headerFromRlp),
    ...(fields.hasMore() && { withdrawals: fields.list("withdrawals").map(withdrawalFromRlp) }),
  };
  fields.verifyEnd();
  return body;
}
