import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { type Hash, messageOf, toHex } from "@plinth/core";
import type { FileEntry } from "./manifest.js";
import { invalid } from "./snapshot-error.js";

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** A file as it is stored. */
export interface CompressedFile {
  readonly compressed: Uint8Array;
  /** Its sizes and hash, for the manifest. */
  readonly stored: Pick<FileEntry, "bytes" | "compressedBytes" | "sha256">;
}

/** Compresses the content of a file. */
export async function compressFile(content: Uint8Array): Promise<CompressedFile> {
  const compressed = await compress(content);
  return {
    compressed,
    stored: {
      bytes: content.length,
      compressedBytes: compressed.length,
      sha256: sha256(compressed),
    },
  };
}

/** Returns the content of a stored file; throws `SnapshotError` unless it is that of the manifest. */
export async function decompressFile(compressed: Uint8Array, file: FileEntry): Promise<Uint8Array> {
  const { name, bytes, compressedBytes } = file;
  if (compressed.length !== compressedBytes) {
    throw invalid(name, `${compressed.length} bytes, the manifest has ${compressedBytes}`);
  }
  if (sha256(compressed) !== file.sha256)
    throw invalid(name, "its hash is not that of the manifest");
  const content = await decompress(compressed, { maxOutputLength: bytes }).catch(
    (error: unknown) => {
      throw invalid(name, `it does not decompress to ${bytes} bytes (${messageOf(error)})`, error);
    },
  );
  if (content.length === bytes) return content;
  throw invalid(name, `it decompresses to ${content.length} bytes, the manifest has ${bytes}`);
}

function sha256(bytes: Uint8Array): Hash {
  return toHex(createHash("sha256").update(bytes).digest());
}
