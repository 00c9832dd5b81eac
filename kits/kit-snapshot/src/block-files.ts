import { type Body, encodeRlp, type Hash, type Header, type Receipt } from "@plinth/core";
import {
  bodyFromRlp,
  bodyToRlp,
  Fields,
  receiptFromRlp,
  receiptsRoot,
  receiptToRlp,
  transactionsRoot,
  unclesHash,
  withdrawalsRoot,
} from "@plinth/core/blocks";
import { decodeItem, splitItems } from "./decode-items.js";
import type { BlocksFile } from "./manifest.js";
import { invalid } from "./snapshot-error.js";

/** A block besides its header. */
export interface BlockContent {
  readonly body: Body;
  readonly receipts: readonly Receipt[];
}

/** Encodes bodies and receipts of consecutive blocks. */
export function encodeBlocks(blocks: readonly BlockContent[]): Uint8Array {
  return encodeRlp(
    blocks.map(({ body, receipts }) => [bodyToRlp(body), receipts.map(receiptToRlp)]),
  );
}

/** Splits a file into its blocks, each of which is decoded alone: a file has thousands. */
export function splitBlocks(bytes: Uint8Array, file: BlocksFile): readonly Uint8Array[] {
  return splitItems(bytes, file);
}

/** Decodes a block of a file; throws `SnapshotError` if it is malformed. `verifyBlock` proves it. */
export function decodeBlock(encoded: Uint8Array, file: BlocksFile): BlockContent {
  return decodeItem(encoded, file, (item) => {
    const fields = new Fields("block", item);
    const body = bodyFromRlp(fields.item("body"));
    const receipts = fields.list("receipts").map(receiptFromRlp);
    fields.verifyEnd();
    return { body, receipts };
  });
}

/** Throws `SnapshotError` unless a header commits to a body and receipts. */
export function verifyBlock(
  header: Header,
  { body, receipts }: BlockContent,
  file: BlocksFile,
): void {
  const { transactions, uncles, withdrawals } = body;
  const roots: readonly (readonly [string, Hash | undefined, Hash | undefined])[] = [
    ["transactions", transactionsRoot(transactions), header.transactionsRoot],
    ["uncles", unclesHash(uncles), header.unclesHash],
    ["withdrawals", withdrawals && withdrawalsRoot(withdrawals), header.withdrawalsRoot],
    ["receipts", receiptsRoot(receipts), header.receiptsRoot],
  ];
  for (const [part, found, expected] of roots) {
    if (found === expected) continue;
    throw invalid(file.name, `the ${part} of block ${header.number} are not those of its header`);
  }
}
