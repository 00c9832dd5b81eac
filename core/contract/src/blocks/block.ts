import { type Lane, Yielder } from "../async/yield-to-loop.js";
import type { Address, Hash } from "../primitives/hex.js";
import { keccakHash } from "../primitives/keccak/keccak.js";
import {
  decodeRlp,
  encodeRlp,
  encodeRlpList,
  type Rlp,
  RlpError,
  rlpItems,
} from "../primitives/rlp.js";
import { encodeInList } from "./envelope.js";
import { Fields } from "./fields.js";
import { type Header, headerFromRlp, headerToRlp, type SealedHeader } from "./header.js";
import { orderedRoot, orderedRootInTurns } from "./ordered-root.js";
import { encodeReceipt, type Receipt } from "./receipt.js";
import { type Transaction, transactionFromRlp, transactionToRlp } from "./transaction.js";
import { type Withdrawal, withdrawalFromRlp, withdrawalToRlp } from "./withdrawals.js";

/** The hash of an empty list: `ommersHash` of a block without uncles. */
export const NO_UNCLES_HASH: Hash =
  "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

/** Maximum number of uncles of a block. */
const MAX_UNCLES = 2;

/** The part of a block besides its header. */
export interface Body {
  readonly transactions: readonly Transaction[];
  readonly uncles: readonly Header[];
  /** EIP-4895; `undefined` before that fork, which differs from an empty list. */
  readonly withdrawals?: readonly Withdrawal[];
}

/** A header and the body it commits to. */
export interface Block {
  readonly header: Header;
  readonly body: Body;
}

/** A block with its hash as computed by the engine. */
export interface SealedBlock extends Block {
  readonly header: SealedHeader;
}

/** Encodes a block. */
export function encodeBlock(block: Block): Uint8Array {
  return encodeRlp(blockToRlp(block));
}

/**
 * Decodes a block.
 *
 * Throws `RlpError` for anything but the canonical encoding of a block, `InvalidTransaction` for an
 * invalid transaction.
 */
export function decodeBlock(bytes: Uint8Array): Block {
  return blockFromRlp(decodeRlp(bytes));
}

/** Encodes a block as an RLP list. */
export function blockToRlp({ header, body }: Block): Rlp {
  return [headerToRlp(header), ...bodyToRlp(body)];
}

/** Decodes a block from an RLP list, like `decodeBlock`. */
export function blockFromRlp(item: Rlp): Block {
  const fields = new Fields("block", item);
  const header = headerFromRlp(fields.item("header"));
  return { header, body: readBody(fields) };
}

/** Encodes a body, for storage and for peers. */
export function encodeBody({ transactions, uncles, withdrawals }: Body): Uint8Array {
  const items = [encodeRlpList(transactions.map(encodeInList)), encodeRlp(uncles.map(headerToRlp))];
  if (withdrawals !== undefined) items.push(encodeRlp(withdrawals.map(withdrawalToRlp)));
  return encodeRlpList(items);
}

/** Decodes a body with the checks of `decodeBlock`. Known senders are not recovered again. */
export function decodeBody(bytes: Uint8Array, senders?: readonly Address[]): Body {
  return readBody(new Fields("body", decodeRlp(bytes)), senders);
}

/** Decodes a body like `decodeBody`, yielding to the event loop. */
export async function decodeBodyInTurns(bytes: Uint8Array): Promise<Body> {
  return readBodyInTurns(rlpItems(bytes));
}

/** A block of which only the header is decoded. */
export interface UnreadBlock {
  readonly header: Header;
  /**
   * Decodes the body once, yielding to the event loop. Rejects with the errors of `decodeBlock`,
   * and with `RlpError` if there are more transactions than allowed.
   */
  readBody(maxTransactions?: number): Promise<Body>;
}

/** Decodes the header of an encoded block. */
export function openBlock(bytes: Uint8Array): UnreadBlock {
  const items = rlpItems(bytes);
  const header = headerFromRlp(decodeRlp(nextItem(items, "block.header")));
  return { header, readBody: (most) => readBodyInTurns(items, most) };
}

/** Encodes a body as an RLP list. */
export function bodyToRlp({ transactions, uncles, withdrawals }: Body): readonly Rlp[] {
  const items = [transactions.map(transactionToRlp), uncles.map(headerToRlp)];
  return withdrawals === undefined ? items : [...items, withdrawals.map(withdrawalToRlp)];
}

/** Decodes a body from an RLP list, like `decodeBody`. */
export function bodyFromRlp(item: Rlp): Body {
  return readBody(new Fields("body", item));
}

/** The transactions root of a header. */
export function transactionsRoot(transactions: readonly Transaction[]): Hash {
  return orderedRoot(transactions.map(({ raw }) => raw));
}

/** The receipts root of a header. */
export function receiptsRoot(receipts: readonly Receipt[]): Hash {
  return orderedRoot(receipts.map(encodeReceipt));
}

/** The withdrawals root of a header. */
export function withdrawalsRoot(withdrawals: readonly Withdrawal[]): Hash {
  return orderedRoot(withdrawals.map((withdrawal) => encodeRlp(withdrawalToRlp(withdrawal))));
}

/** The uncles hash of a header. */
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

/** The header fields that commit to a body. */
export interface BodyRoots {
  readonly transactions: Hash;
  readonly uncles: Hash;
  readonly withdrawals: Hash | undefined;
}

/** The header fields that a body requires; yields to the event loop. */
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

/** The header fields that a body requires. */
export function bodyRoots({ transactions, uncles, withdrawals }: Body): BodyRoots {
  return {
    transactions: transactionsRoot(transactions),
    uncles: unclesHash(uncles),
    withdrawals: withdrawals && withdrawalsRoot(withdrawals),
  };
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
