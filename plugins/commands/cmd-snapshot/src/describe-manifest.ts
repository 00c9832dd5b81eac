import { encodeManifest, type FileKind, type Manifest } from "@plinth/kit-snapshot";

const KINDS: readonly FileKind[] = ["headers", "state", "codes", "blocks"];

/** A snapshot in a few lines. */
export function describeManifest(manifest: Manifest): string {
  const { chainId, genesisHash, block } = manifest;
  return [
    `block ${block.number} (${block.hash})`,
    `State root: ${block.stateRoot}`,
    `Chain: ${chainId}, block 0 is ${genesisHash}`,
    ...KINDS.map((kind) => describeFiles(manifest, kind)),
  ].join("\n");
}

/** The same for programs, without the list of files. */
export function manifestJson(manifest: Manifest): object {
  const { files: _, ...json } = JSON.parse(Buffer.from(encodeManifest(manifest)).toString());
  const kinds = KINDS.map((kind) => [kind, sumOf(manifest, kind)]);
  return { ...json, files: Object.fromEntries(kinds) };
}

function describeFiles(manifest: Manifest, kind: FileKind): string {
  const { files, bytes, compressedBytes, firstBlock, count } = sumOf(manifest, kind);
  const name = `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
  if (files === 0) return `${name}: none`;
  const range =
    firstBlock === undefined ? "" : ` of blocks ${firstBlock} to ${firstBlock + count - 1}`;
  const number = kind === "codes" ? `${count} in ` : "";
  return `${name}${range}: ${number}${files} ${files === 1 ? "file" : "files"}, ${inMegabytes(bytes)}, compressed ${inMegabytes(compressedBytes)}`;
}

function sumOf({ files }: Manifest, kind: FileKind) {
  const sum = { files: 0, bytes: 0, compressedBytes: 0, count: 0 };
  let firstBlock: number | undefined;
  for (const file of files) {
    if (file.kind !== kind) continue;
    sum.files += 1;
    sum.bytes += file.bytes;
    sum.compressedBytes += file.compressedBytes;
    if (file.kind !== "state") sum.count += file.count;
    if ("firstBlock" in file) firstBlock ??= Number(file.firstBlock);
  }
  return { ...sum, ...(firstBlock !== undefined && { firstBlock }) };
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 3 : 0)} MB`;
}
