import {
  type BlockReader,
  type Body,
  type Hash,
  type Receipt,
  type SealedHeader,
  Yielder,
} from "@plinth/core";
import { encodeBody, encodeHeader, encodeReceipt, MAX_UINT64 } from "@plinth/core/blocks";
import { unlessPruned } from "@plinth/core/chain";
import type { HeaderRequest } from "../codec/blocks.js";

/** Target size of a response. */
const ENOUGH_BYTES = 2 * 2 ** 20;
/** Nodes reject messages larger than this. */
const MAX_BYTES = 10 * 2 ** 20 - 1024;

/** The requested headers, as far as they are available. */
export function* findHeaders(
  blocks: Pick<BlockReader, "findHeader">,
  { start, limit, skip, reverse }: HeaderRequest,
  most: number,
): Generator<SealedHeader> {
  const first = blocks.findHeader(start);
  if (first === undefined) return;
  const count = limit > BigInt(most) ? most : Number(limit);
  const step = (skip + 1n) * (reverse ? -1n : 1n);
  let next: SealedHeader | undefined = first;
  for (let sent = 0; sent < count && next !== undefined; sent++) {
    yield next;
    const number: bigint = next.number + step;
    if (number < 0n || number > MAX_UINT64) return;
    // Off the canonical chain only the parents are known.
    const isParent: boolean = step === -1n;
    next = blocks.findHeader(isParent ? next.parentHash : number);
  }
}

/** Headers up to the size of a response, and at most `most` of them. */
export function collectHeaders(
  blocks: Pick<BlockReader, "findHeader">,
  request: HeaderRequest,
  most: number,
): SealedHeader[] {
  const size = new AnswerSize();
  const headers: SealedHeader[] = [];
  for (const header of findHeaders(blocks, request, most)) {
    if (!size.fits(encodeHeader(header).length)) break;
    headers.push(header);
  }
  return headers;
}

/** The bodies of blocks; unknown ones, and those that are no longer kept, are omitted. */
export function collectBodies(
  blocks: BlockReader,
  hashes: readonly Hash[],
): Promise<readonly Body[]> {
  return collect(hashes, (hash) => {
    const body = unlessPruned(() => blocks.findBlock(hash))?.body;
    return body && { item: body, bytes: encodeBody(body).length };
  });
}

/** The receipts of blocks; those of unknown ones, and those no longer kept, are omitted. */
export function collectReceipts(
  blocks: BlockReader,
  hashes: readonly Hash[],
): Promise<readonly (readonly Receipt[])[]> {
  return collect(hashes, (hash) => {
    const receipts = unlessPruned(() => blocks.findReceipts(hash));
    const sum = (total: number, receipt: Receipt) => total + encodeReceipt(receipt).length + 4;
    return receipts && { item: receipts, bytes: receipts.reduce(sum, 0) };
  });
}

async function collect<T>(
  hashes: readonly Hash[],
  find: (hash: Hash) => { readonly item: T; readonly bytes: number } | undefined,
): Promise<readonly T[]> {
  const size = new AnswerSize();
  const turns = new Yielder();
  const items: T[] = [];
  for (const hash of hashes) {
    const found = find(hash);
    await turns.yield();
    if (found === undefined) continue;
    if (!size.fits(found.bytes)) break;
    items.push(found.item);
  }
  return items;
}

/** Tracks the size of a response. */
export class AnswerSize {
  #bytes = 0;

  /** Adds an item; false if the response is large enough without it. */
  fits(bytes: number): boolean {
    if (this.#bytes >= ENOUGH_BYTES || this.#bytes + bytes > MAX_BYTES) return false;
    this.#bytes += bytes;
    return true;
  }
}
