import { type Lane, Yielder } from "../async/yield-to-loop.js";
import type { Address, Hash } from "../primitives/hex.js";
import { keccakHash } from "../primitives/keccak.js";
import { decodeRlp, encodeRlp, type Rlp, RlpError, rlpItems } from "../primitives/rlp.js";
import { Fields } from "./fields.js";
import { type Header, headerFromRlp, headerToRlp, type SealedHeader } from "./header.js";
import { orderedRoot, orderedRootInTurns } from "./ordered-root.js";
import { encodeReceipt, type Receipt } from "./receipt.js";
import { type Transaction, transactionFromRlp, transactionToRlp } from "./transaction.js";
import { type Withdrawal, withdrawalFromRlp, withdrawalToRlp } from "./withdrawals.js";

/** The hash of an empty list: the uncles of a block that has none. */
export const NO_UNCLES_HASH: Hash =
  "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

/** No block may have more uncles. */
const MAX_UNCLES = 2;

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

/** Reads a body as `decodeBody` does; others run in between. */
export async function decodeBodyInTurns(bytes: Uint8Array): Promise<Body> {
  return readBodyInTurns(rlpItems(bytes));
}

/** A block of which nothing but the header is read. */
export interface UnreadBlock {
  readonly header: Header;
  /**
   * Reads the body, once; others run in between. It rejects with what `decodeBlock` throws, and with `RlpError`
   * where there are more transactions than allowed.
   */
  readBody(maxTransactions?: number): Promise<Body>;
}

/** Reads the header of an encoded block. */
export function openBlock(bytes: Uint8Array): UnreadBlock {
  const items = rlpItems(bytes);
  const header = headerFromRlp(decodeRlp(nextItem(items, "block.header")));
  return { header, readBody: (most) => readBodyInTurns(items, most) };
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

async function readBodyInTurns(
  items: Generator<Uint8Array>,
  maxTransactions = Number.POSITIVE_INFINITY,
): Promise<Body> {
  const turns = new Yielder();
  const transactions = await readAll(nextItem(items, "body.transactions"), {
    read: (item) => transactionFromRlp(item),
    most: maxTransactions,
    turns,
  });
  const uncles = await readAll(nextItem(items, "body.uncles"), {
    read: headerFromRlp,
    most: MAX_UNCLES,
    turns,
  });
  const { value: last } = items.next();
  if (items.next().done !== true) throw new RlpError("body: more than 3 fields");
  if (last === undefined) return { transactions, uncles };
  const most = Number.POSITIVE_INFINITY;
  const withdrawals = await readAll(last, { read: withdrawalFromRlp, most, turns });
  return { transactions, uncles, withdrawals };
}

async function readAll<T>(
  list: Uint8Array,
  {
    read,
    most,
    turns,
  }: { readonly read: (item: Rlp) => T; readonly most: number; readonly turns: Yielder },
): Promise<readonly T[]> {
  const all: T[] = [];
  for (const item of rlpItems(list)) {
    if (all.length >= most) throw new RlpError(`body: more than ${most} items in a list`);
    all.push(read(decodeRlp(item)));
    if (turns.isDue) await turns.yield();
  }
  return all;
}

function nextItem(items: Generator<Uint8Array>, name: string): Uint8Array {
  const { value } = items.next();
  if (value === undefined) throw new RlpError(`${name}: missing`);
  return value;
}

/** What a header says about a body. */
export interface BodyRoots {
  readonly transactions: Hash;
  readonly uncles: Hash;
  readonly withdrawals: Hash | undefined;
}

/** What the header of a body has to say; others run while it is computed. */
export async function bodyRootsInTurns(body: Body, lane?: Lane): Promise<BodyRoots> {
  const { transactions, uncles, withdrawals } = body;
  return {
    transactions: await orderedRootInTurns(
      transactions.map(({ raw }) => raw),
      lane,
    ),
    uncles: unclesHash(uncles),
    withdrawals:
      withdrawals &&
      (await orderedRootInTurns(
        withdrawals.map((each) => encodeRlp(withdrawalToRlp(each))),
        lane,
      )),
  };
}

/** What the header of a body has to say. */
export function bodyRoots({ transactions, uncles, withdrawals }: Body): BodyRoots {
  return {
    transactions: transactionsRoot(transactions),
    uncles: unclesHash(uncles),
    withdrawals: withdrawals && withdrawalsRoot(withdrawals),
  };
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
