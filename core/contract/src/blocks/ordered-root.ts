import { runInTurns, runSteps, type Steps } from "../async/steps.js";
import type { Lane } from "../async/yield-to-loop.js";
import type { Hash } from "../primitives/hex.js";
import { keccak256, keccakHash } from "../primitives/keccak/keccak.js";
import { encodeRlp, type Rlp } from "../primitives/rlp.js";
import { scalarBytes } from "./fields.js";

interface Entry {
  /** The key in nibbles. */
  readonly path: Uint8Array;
  readonly value: Uint8Array;
}

const HASH_BYTES = 32;
const BRANCHES = 16;
/** Entries hashed per step: less than a millisecond of work. */
const ENTRIES_AT_ONCE = 128;
const EMPTY = new Uint8Array();
/** Indexes below this are their own RLP encoding. */
const SHORT_KEYS = 128;
/** Yellow Paper, appendix C: hex-prefix flags of a path. */
const LEAF = 0x20;
const ODD = 0x10;

/** The root of an empty trie. */
export const EMPTY_ROOT: Hash =
  "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

/**
 * The root of the trie whose keys are the RLP-encoded list indexes.
 *
 * Builds no trie: visits the keys in order and hashes every node once.
 */
export function orderedRoot(values: readonly Uint8Array[]): Hash {
  return runSteps(rootSteps(values));
}

/** The same root; yields to the event loop. */
export function orderedRootInTurns(values: readonly Uint8Array[], lane?: Lane): Promise<Hash> {
  return runInTurns(rootSteps(values), { lane });
}

function* rootSteps(values: readonly Uint8Array[]): Steps<Hash> {
  if (values.length === 0) return EMPTY_ROOT;
  return keccakHash(encodeRlp(yield* largeNodeOf(yield* sortedEntries(values), 0)));
}

/** In key order: index 0 is encoded as 0x80 and follows 127. */
function* sortedEntries(values: readonly Uint8Array[]): Steps<readonly Entry[]> {
  const entries: Entry[] = [];
  for (const [index, value] of values.entries()) {
    entries.push({ path: pathOf(index), value });
    if (index % ENTRIES_AT_ONCE === ENTRIES_AT_ONCE - 1) yield;
  }
  return [...entries.slice(1, SHORT_KEYS), ...entries.slice(0, 1), ...entries.slice(SHORT_KEYS)];
}

/** Like `nodeOf`, in steps. */
function* largeNodeOf(entries: readonly Entry[], depth: number): Steps<Rlp> {
  if (entries.length <= ENTRIES_AT_ONCE) return nodeOf(entries, depth);
  const end = sharedEnd(entries, depth);
  const below: Rlp[] = [];
  for (const branch of branchesOf(entries, end)) {
    below.push(branch.length === 0 ? EMPTY : reference(yield* largeNodeOf(branch, end + 1)));
    yield;
  }
  return withExtension([...below, EMPTY], entries, { depth, end });
}

/** The node for entries with a common prefix up to `depth`; no key is a prefix of another. */
function nodeOf(entries: readonly Entry[], depth: number): Rlp {
  const [first] = entries;
  if (first === undefined) return EMPTY;
  if (entries.length === 1) return [compactPath(first.path.subarray(depth), LEAF), first.value];
  const end = sharedEnd(entries, depth);
  const below = branchesOf(entries, end).map((branch) =>
    branch.length === 0 ? EMPTY : reference(nodeOf(branch, end + 1)),
  );
  return withExtension([...below, EMPTY], entries, { depth, end });
}

/** The depth at which the keys of the entries diverge. */
function sharedEnd(entries: readonly Entry[], depth: number): number {
  const [first, last] = [entries[0]?.path, entries.at(-1)?.path];
  let end = depth;
  while (first?.[end] === last?.[end]) end++;
  return end;
}

/** The entries below each child of the node at `depth`. */
function branchesOf(entries: readonly Entry[], depth: number): readonly (readonly Entry[])[] {
  let start = 0;
  return Array.from({ length: BRANCHES }, (_, branch) => {
    let end = start;
    while (entries[end]?.path[depth] === branch) end++;
    const below = entries.slice(start, end);
    start = end;
    return below;
  });
}

/** A branch, below an extension with the common prefix of its keys. */
function withExtension(
  branch: Rlp,
  [first]: readonly Entry[],
  { depth, end }: { readonly depth: number; readonly end: number },
): Rlp {
  if (end === depth || first === undefined) return branch;
  return [compactPath(first.path.subarray(depth, end), 0), reference(branch)];
}

/** A node shorter than a hash is embedded. */
function reference(node: Rlp): Rlp {
  const encoded = encodeRlp(node);
  return encoded.length < HASH_BYTES ? node : keccak256(encoded);
}

function compactPath(path: Uint8Array, flag: number): Uint8Array {
  const isOdd = path.length % 2 === 1;
  const halves = isOdd ? [(flag | ODD) >> 4, ...path] : [flag >> 4, 0, ...path];
  return Uint8Array.from({ length: halves.length / 2 }, (_, byte) => {
    return ((halves[2 * byte] ?? 0) << 4) | (halves[2 * byte + 1] ?? 0);
  });
}

/** The encoding of an index, in nibbles. */
function pathOf(index: number): Uint8Array {
  const bytes = encodeRlp(scalarBytes(BigInt(index)));
  const path = new Uint8Array(2 * bytes.length);
  for (const [at, byte] of bytes.entries()) {
    path[2 * at] = byte >> 4;
    path[2 * at + 1] = byte & 0xf;
  }
  return path;
}
