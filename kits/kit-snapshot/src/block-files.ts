import { type Body, encodeRlp, type Receipt } from "@plinth/core";
import { bodyFromRlp, bodyToRlp, Fields, receiptFromRlp, receiptToRlp } from "@plinth/core/blocks";
import { decodeItem, splitItems } from "./decode-items.js";
import type { BlocksFile } from "./manifest.js";

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

/** Decodes a block of a file; throws `SnapshotError` if it is malformed. */
export function decodeBlock(encoded: Uint8Array, file: BlocksFile): BlockContent {
  return decodeItem(encoded, file, (item) => {
    const fields = new Fields("block", item);
    const body = bodyFromRlp(fields.item("body"));
    const receipts = fields.list("receipts").map(receiptFromRlp);
    fields.verifyEnd();
    return { body, receipts };
  });
}
