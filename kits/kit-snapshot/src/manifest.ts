import {
  type Codec,
  DecodeError,
  EMPTY_ROOT,
  type Hash,
  type Hex,
  messageOf,
  t,
  type ValueOf,
} from "@plinth/core";
import { invalid } from "./snapshot-error.js";
import { formatPosition, STATE_START } from "./state-position.js";

/** The name of the manifest in the folder of a snapshot. */
export const MANIFEST = "manifest.json";
/** Maximum size of a manifest. */
export const MAX_MANIFEST_BYTES = 64 * 2 ** 20;
/** Maximum size of a file, compressed or not. */
export const MAX_FILE_BYTES = 64 * 2 ** 20;
/** Maximum number of headers, blocks or codes in a file. */
const MAX_ITEMS = 2 ** 20;
const MAX_BLOCK = 2 ** 48;

const FORMAT = "plinth-snapshot";
const VERSION = 1;

/** What a file contains. */
export const FILE_KINDS = ["headers", "state", "codes", "blocks"] as const;

/** The kind of a file. */
export type FileKind = (typeof FILE_KINDS)[number];

interface StoredFile {
  readonly name: string;
  /** Size after decompression. */
  readonly bytes: number;
  readonly compressedBytes: number;
  /** Of the compressed bytes. */
  readonly sha256: Hash;
}

/** A file of consecutive headers, or of bodies and receipts. */
export interface BlocksFile extends StoredFile {
  readonly kind: "headers" | "blocks";
  readonly firstBlock: bigint;
  readonly count: number;
}

/** A file of consecutive accounts and slots. */
export interface StateFile extends StoredFile {
  readonly kind: "state";
  /** The position at which it starts, see `formatPosition`. */
  readonly from: Hex;
  /** The position at which the next one starts; omitted at the end of the state. */
  readonly to?: Hex;
}

/** A file of codes. */
export interface CodesFile extends StoredFile {
  readonly kind: "codes";
  readonly count: number;
}

/** A file of a snapshot. */
export type FileEntry = BlocksFile | StateFile | CodesFile;

/** The content of a snapshot. */
export interface Manifest {
  readonly chainId: bigint;
  readonly genesisHash: Hash;
  /** The block whose state it is. */
  readonly block: { readonly number: bigint; readonly hash: Hash; readonly stateRoot: Hash };
  /** Of each kind in order. */
  readonly files: readonly FileEntry[];
}

/** The files of a kind, in order. */
export function filesOf(manifest: Manifest, kind: "headers" | "blocks"): readonly BlocksFile[];
export function filesOf(manifest: Manifest, kind: "state"): readonly StateFile[];
export function filesOf(manifest: Manifest, kind: "codes"): readonly CodesFile[];
export function filesOf({ files }: Manifest, kind: FileKind): readonly FileEntry[] {
  return files.filter((file) => file.kind === kind);
}

const FILE_NAME = /^(headers|state|codes|blocks)-[0-9]{6,10}\.bin$/;

/** Whether a name is one that files of snapshots have; it has no separators. */
export function isFileName(name: string): boolean {
  return FILE_NAME.test(name);
}

const fileCodec = t.object({
  name: matching(FILE_NAME, "a name such as state-000000.bin"),
  kind: matching(/^(headers|state|codes|blocks)$/, FILE_KINDS.join(", ")) as Codec<FileKind>,
  bytes: t.integer({ min: 1, max: MAX_FILE_BYTES }),
  compressedBytes: t.integer({ min: 1, max: MAX_FILE_BYTES }),
  sha256: t.hash,
  firstBlock: t.optional(t.integer({ min: 0, max: MAX_BLOCK })),
  count: t.optional(t.integer({ min: 1, max: MAX_ITEMS })),
  from: t.optional(position()),
  to: t.optional(position()),
});

const manifestCodec = t.object({
  format: matching(new RegExp(`^${FORMAT}$`), FORMAT),
  version: t.integer({ min: VERSION, max: VERSION }),
  chainId: t.quantity,
  genesisHash: t.hash,
  block: t.object({
    number: t.integer({ min: 0, max: MAX_BLOCK }),
    hash: t.hash,
    stateRoot: t.hash,
  }),
  files: t.array(fileCodec),
});

/** Reads a manifest; throws `SnapshotError` if it is malformed or its files leave gaps. */
export function parseManifest(bytes: Uint8Array): Manifest {
  const { block, files, chainId, genesisHash } = decode(bytes);
  const manifest: Manifest = {
    chainId,
    genesisHash,
    block: { ...block, number: BigInt(block.number) },
    files: files.map(toEntry),
  };
  verifyFiles(manifest);
  return manifest;
}

/** Encodes a manifest. */
export function encodeManifest({ block, files, ...chain }: Manifest): Uint8Array {
  const encoded = manifestCodec.encode({
    format: FORMAT,
    version: VERSION,
    ...chain,
    block: { ...block, number: Number(block.number) },
    files: files.map(fromEntry),
  });
  return Buffer.from(`${JSON.stringify(encoded, undefined, 1)}\n`);
}

function decode(bytes: Uint8Array): ValueOf<typeof manifestCodec> {
  if (bytes.length > MAX_MANIFEST_BYTES) {
    throw wrong(`${bytes.length} bytes, expected at most ${MAX_MANIFEST_BYTES}`);
  }
  try {
    return manifestCodec.decode(JSON.parse(Buffer.from(bytes).toString("utf8")));
  } catch (error) {
    throw wrong(messageOf(error), error);
  }
}

function toEntry(file: ValueOf<typeof fileCodec>): FileEntry {
  const { kind, firstBlock, count, from, to, ...stored } = file;
  if (!stored.name.startsWith(`${kind}-`)) throw wrong(`${stored.name} is a file of ${kind}`);
  if (kind === "state") {
    if (from === undefined) throw wrong(`${stored.name} has no position`);
    return { ...stored, kind, from, ...(to !== undefined && { to }) };
  }
  if (count === undefined) throw wrong(`${stored.name} has no count`);
  if (kind === "codes") return { ...stored, kind, count };
  if (firstBlock === undefined) throw wrong(`${stored.name} has no first block`);
  return { ...stored, kind, firstBlock: BigInt(firstBlock), count };
}

function fromEntry(file: FileEntry): ValueOf<typeof fileCodec> {
  const absent = { firstBlock: undefined, count: undefined, from: undefined, to: undefined };
  return "firstBlock" in file
    ? { ...absent, ...file, firstBlock: Number(file.firstBlock) }
    : { ...absent, ...file };
}

/** Throws unless the files of each kind follow each other without gaps. */
function verifyFiles(manifest: Manifest): void {
  const names = new Set(manifest.files.map(({ name }) => name));
  if (names.size < manifest.files.length) throw wrong("two files have the same name");
  const { number, stateRoot } = manifest.block;

  const headers = filesOf(manifest, "headers");
  const end = verifyBlocks(headers, 0n);
  if (end <= number) throw wrong(`its headers end before block ${number}`);

  const blocks = filesOf(manifest, "blocks");
  const first = blocks[0]?.firstBlock ?? number + 1n;
  if (first === 0n) throw wrong("its blocks start with block 0");
  if (verifyBlocks(blocks, first) !== number + 1n) {
    throw wrong(`its blocks do not end with block ${number}`);
  }

  const chunks = filesOf(manifest, "state");
  let at: Hex | undefined = stateRoot === EMPTY_ROOT ? undefined : formatPosition(STATE_START);
  for (const { name, from, to } of chunks) {
    if (from !== at) throw wrong(`${name} starts at ${from}, expected ${at ?? "no more files"}`);
    at = to;
  }
  if (at !== undefined) throw wrong(`its state ends before ${at}`);
}

/** Returns the block after the last one. */
function verifyBlocks(files: readonly BlocksFile[], first: bigint): bigint {
  let next = first;
  for (const { name, firstBlock, count } of files) {
    if (firstBlock !== next) {
      throw wrong(`${name} starts with block ${firstBlock}, expected ${next}`);
    }
    next += BigInt(count);
  }
  return next;
}

/** A key of an account, or of an account and a slot. */
function position(): Codec<Hex> {
  return matching(/^0x([0-9a-f]{64}){1,2}$/, "a key of 32 or 64 bytes") as Codec<Hex>;
}

function matching(pattern: RegExp, expected: string): Codec<string> {
  return {
    ...t.text,
    decode(json, path = "") {
      if (typeof json !== "string" || !pattern.test(json)) throw new DecodeError(path, expected);
      return json;
    },
  };
}

function wrong(reason: string, cause?: unknown) {
  return invalid(MANIFEST, reason, cause);
}
