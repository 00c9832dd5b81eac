import type { CachedFile } from "@plinth/plugin-dev-fork/api";

const MIB = 2 ** 20;

/** A line about a file. */
export function describeFile({ chainId, block, hash, bytes }: CachedFile): string {
  return `chain ${chainId}, block ${block} (${hash}): ${sizeOf(bytes)}`;
}

/** How many files, and their size. */
export function summarize(files: readonly CachedFile[]): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${files.length} ${files.length === 1 ? "block" : "blocks"}, ${sizeOf(bytes)}`;
}

function sizeOf(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
