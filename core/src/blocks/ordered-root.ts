import { type Hash, toHex } from "../primitives/hex.js";
import { keccak256, keccakHash } from "../primitives/keccak.js";
import { encodeRlp, type Rlp } from "../primitives/rlp.js";
import { scalarBytes } from "./fields.js";

interface Entry {
  /** The key in half bytes. */
  readonly path: Uint8Array;
  readonly value: Uint8Array;
}

const HASH_BYTES = 32;
const BRANCHES = 16;
/** Indexes below this are their own encoding. */
const SHORT_KEYS = 128;
/** Yellow Paper, appendix C: the flags in front of a path. */
const LEAF = 0x20;
const ODD = 0x10;

/** The root of an empty trie. */
export const EMPTY_ROOT: Hash =
  "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

/**
 * The root of the trie whose keys are the RLP encoded positions in the list.
 *
 * No trie is built: the keys are visited in their order, and every node is hashed once.
 */
export function orderedRoot(values: readonly Uint8Array[]): Hash {
  if (values.length === 0) return EMPTY_ROOT;
  return keccakHash(encodeRlp(nodeOf(sortedEntries(values), 0)));
}

/** By key: 0 is written as 0x80 and comes after 127. */
function sortedEntries(values: readonly Uint8Array[]): readonly Entry[] {
  const entries = values.map((value, index) => ({
    path: halfBytes(encodeRlp(scalarBytes(BigInt(index)))),
    value,
  }));
  return [...entries.slice(1, SHORT_KEYS), ...entries.slice(0, 1), ...entries.slice(SHORT_KEYS)];
}

/** The node for entries that are alike up to `depth`; none of the keys begins with another. */
function nodeOf(entries: readonly Entry[], depth: number): Rlp {
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) return new Uint8Array();
  if (first === last) return [compactPath(first.path.subarray(depth), LEAF), first.value];

  let end = depth;
  while (first.path[end] === last.path[end]) end++;
  const branch = branchOf(entries, end);
  return end === depth
    ? branch
    : [compactPath(first.path.subarray(depth, end), 0), reference(branch)];
}

function branchOf(entries: readonly Entry[], depth: number): Rlp {
  const node: Rlp[] = [];
  let start = 0;
  for (let branch = 0; branch < BRANCHES; branch++) {
    let end = start;
    while (entries[end]?.path[depth] === branch) end++;
    const below = entries.slice(start, end);
    node.push(below.length === 0 ? new Uint8Array() : reference(nodeOf(below, depth + 1)));
    start = end;
  }
  return [...node, new Uint8Array()];
}

/** A node that is shorter than a hash stands for itself. */
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

function halfBytes(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(toHex(bytes).slice(2), (digit) => Number.parseInt(digit, 16));
}
