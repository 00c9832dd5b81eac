import { join } from "node:path";
import { ChainStore, openStatesToRead } from "@plinth/chain";
import type { Hash, SealedHeader } from "@plinth/core";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import {
  type BlockContent,
  createChunks,
  encodeBlocks,
  encodeCodes,
  encodeHeaders,
  formatPosition,
  SnapshotWriter,
} from "@plinth/kit-snapshot";
import { openDatabase } from "./stored-data.js";

const CHUNK_BYTES = 512;
const BLOCKS_PER_FILE = 8n;

/** Writes a snapshot of the head of a stopped node, with many small files. */
export async function writeSnapshot(
  dataPath: string,
  target: string,
  { chainId }: { readonly chainId: bigint },
): Promise<void> {
  const store = await openDatabase(join(dataPath, "database"));
  try {
    const chain = new ChainStore(store);
    const head = chain.findHead() as SealedHeader;
    await using writer = await SnapshotWriter.create(target);
    for (let firstBlock = 0n; firstBlock <= head.number; firstBlock += BLOCKS_PER_FILE) {
      const headers = numbersFrom(firstBlock, head).map((number) => chain.headerAt(number));
      const content = { kind: "headers", firstBlock, count: headers.length } as const;
      await writer.add(content, encodeHeaders(headers));
    }
    const states = openStatesToRead(store, { proofBlocks: 1 });
    const { source } = states.open(head);
    const tries = source.openTries();
    const codes = new Set<Hash>();
    const findPreimage = (key: Hash) => states.findPreimage(key);
    const state = { root: head.stateRoot, tries, findPreimage };
    for (const { content, accounts, from, to } of createChunks(state, CHUNK_BYTES)) {
      for (const { account } of accounts) codes.add(account.codeHash);
      const end = to === undefined ? {} : { to: formatPosition(to) };
      await writer.add({ kind: "state", from: formatPosition(from), ...end }, content);
    }
    codes.delete(EMPTY_CODE_HASH);
    for (const hash of codes) {
      await writer.add({ kind: "codes", count: 1 }, encodeCodes([source.getCode(hash)]));
    }
    for (let firstBlock = 1n; firstBlock <= head.number; firstBlock += BLOCKS_PER_FILE) {
      const blocks = numbersFrom(firstBlock, head).map((number) => contentOf(chain, number));
      const content = { kind: "blocks", firstBlock, count: blocks.length } as const;
      await writer.add(content, encodeBlocks(blocks));
    }
    const { number, hash, stateRoot } = head;
    const genesisHash = chain.headerAt(0n).hash;
    await writer.complete({ chainId, genesisHash, block: { number, hash, stateRoot } });
  } finally {
    await store.close();
  }
}

/** The numbers of the blocks in one file. */
function numbersFrom(first: bigint, { number }: SealedHeader): readonly bigint[] {
  const end = first + BLOCKS_PER_FILE <= number ? first + BLOCKS_PER_FILE : number + 1n;
  return Array.from({ length: Number(end - first) }, (_, index) => first + BigInt(index));
}

function contentOf(chain: ChainStore, number: bigint): BlockContent {
  const { hash } = chain.headerAt(number);
  const [body, receipts] = [chain.findBody(hash), chain.findReceipts(hash)];
  if (body === undefined || receipts === undefined) throw new Error(`block ${number} is missing`);
  return { body, receipts };
}
