import type { ChainStore } from "@plinth/chain";
import { type Header, type SealedHeader, StorageError } from "@plinth/core";
import {
  type BlockContent,
  encodeBlocks,
  encodeHeaders,
  type SnapshotWriter,
} from "@plinth/kit-snapshot";
import type { Progress } from "../progress.js";
import { getHeader } from "./choose-block.js";

/** The size from which on the next file is started, and the most blocks of a file. */
const FILE_BYTES = 4 * 2 ** 20;
const MAX_BLOCKS = 2048;
/** The size of a receipt and of a log without their data. */
const RECEIPT_BYTES = 300;
const LOG_BYTES = 150;

interface WriteContext {
  readonly chain: ChainStore;
  readonly writer: SnapshotWriter;
  readonly progress: Progress;
}

/** Writes the headers from block 0 to a block. */
export async function writeHeaders(on: WriteContext, last: bigint): Promise<void> {
  const { chain, writer, progress } = on;
  for (let firstBlock = 0n; firstBlock <= last; ) {
    const headers: Header[] = [];
    while (headers.length < MAX_BLOCKS && firstBlock + BigInt(headers.length) <= last) {
      headers.push(getHeader(chain, firstBlock + BigInt(headers.length)));
    }
    const count = headers.length;
    await writer.add({ kind: "headers", firstBlock, count }, encodeHeaders(headers));
    firstBlock += BigInt(count);
    progress.show("headers", Number(firstBlock) / (Number(last) + 1));
  }
}

/** Writes the bodies and receipts of the blocks up to one, as far back as they are kept. */
export async function writeBlocks(on: WriteContext, { number: last }: SealedHeader): Promise<void> {
  const { chain, writer, progress } = on;
  const retained = chain.firstRetained();
  const start = retained > 1n ? retained : 1n;
  for (let firstBlock = start; firstBlock <= last; ) {
    const blocks: BlockContent[] = [];
    let bytes = 0;
    while (bytes < FILE_BYTES && blocks.length < MAX_BLOCKS) {
      const number = firstBlock + BigInt(blocks.length);
      if (number > last) break;
      const block = getContent(chain, number);
      blocks.push(block);
      bytes += sizeOf(block);
    }
    const count = blocks.length;
    await writer.add({ kind: "blocks", firstBlock, count }, encodeBlocks(blocks));
    firstBlock += BigInt(count);
    progress.show("blocks", Number(firstBlock - start) / Number(last - start + 1n));
  }
}

function getContent(chain: ChainStore, number: bigint): BlockContent {
  const { hash } = getHeader(chain, number);
  const body = chain.findBody(hash);
  const receipts = chain.findReceipts(hash);
  if (body !== undefined && receipts !== undefined) return { body, receipts };
  throw new StorageError("STORAGE_DAMAGED", {
    message: `the body or the receipts of block ${number} are missing; \`db verify\` shows what else is`,
  });
}

function sizeOf({ body, receipts }: BlockContent): number {
  let bytes = 0;
  for (const { raw } of body.transactions) bytes += raw.length;
  for (const { logs } of receipts) {
    bytes += RECEIPT_BYTES;
    for (const { data } of logs) bytes += LOG_BYTES + data.length;
  }
  return bytes;
}
