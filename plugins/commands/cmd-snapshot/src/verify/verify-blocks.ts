import { verifyJoinedBlock } from "@plinth/chain";
import { type Header, yieldToLoop } from "@plinth/core";
import { JoinRefused } from "@plinth/core/chain";
import {
  type BlocksFile,
  decodeBlock,
  decodeHeaders,
  filesOf,
  SnapshotError,
  splitBlocks,
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
      if (header !== undefined) await verifyBlock(header, encoded, file);
    }
    progress.show("blocks", (index + 1) / files.length);
    await yieldToLoop();
  }
}

async function verifyBlock(header: Header, encoded: Uint8Array, file: BlocksFile): Promise<void> {
  try {
    await verifyJoinedBlock(header, decodeBlock(encoded, file));
  } catch (error) {
    if (!(error instanceof JoinRefused)) throw error;
    const { name } = file;
    const message = `${name}: ${error.message}`;
    throw new SnapshotError("SNAPSHOT_INVALID", { message, name, cause: error });
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
