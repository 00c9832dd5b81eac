import { type Header, yieldToLoop } from "@plinth/core";
import {
  decodeBlock,
  decodeHeaders,
  filesOf,
  splitBlocks,
  verifyBlock,
} from "@plinth/kit-snapshot";
import type { VerifiedSnapshot } from "./verified-snapshot.js";

/** Throws unless the bodies and receipts of a snapshot are those that its headers commit to. */
export async function verifyBlocks(snapshot: VerifiedSnapshot): Promise<void> {
  const { source, manifest, progress, signal } = snapshot;
  const files = filesOf(manifest, "blocks");
  const [first] = files;
  if (first === undefined) return;
  const headers = headersFrom(snapshot, first.firstBlock);
  for (const [index, file] of files.entries()) {
    for (const encoded of splitBlocks(await source.read(file, { signal }), file)) {
      const { value: header } = await headers.next();
      if (header !== undefined) verifyBlock(header, decodeBlock(encoded, file), file);
    }
    progress.show("blocks", (index + 1) / files.length);
    await yieldToLoop();
  }
}

/** The headers again: their files are small, and the hashes of the manifest keep them the same. */
async function* headersFrom(
  { source, manifest, signal }: VerifiedSnapshot,
  first: bigint,
): AsyncGenerator<Header, undefined> {
  for (const file of filesOf(manifest, "headers")) {
    if (file.firstBlock + BigInt(file.count) <= first) continue;
    for (const header of decodeHeaders(await source.read(file, { signal }), file)) {
      if (header.number >= first) yield header;
    }
  }
}
