import { type Rlp, Yielder } from "@plinth/core";
import type { StateRanges } from "@plinth/core/chain";
import { HASH_BYTES, type TrieNodesRequest } from "../messages.js";
import type { RecentStates } from "../recent-states.js";
import { MAX_LOOKUPS, responseBytes, startTime } from "./limits.js";

const ODD = 0x10;
const LEAF = 0x20;

/** Nodes in the order of the request; empty ones in the place of those that do not exist. */
export async function serveNodes(
  states: RecentStates,
  { root, paths, bytes: requested }: TrieNodesRequest,
): Promise<readonly Rlp[]> {
  using ranges = await states.open(root);
  if (ranges === undefined) return [[]];
  const isOver = startTime();
  const maxBytes = responseBytes(requested);
  const turns = new Yielder();
  const nodes: Uint8Array[] = [];
  let bytes = 0;
  for (const find of lookups(ranges, paths)) {
    if (bytes > maxBytes || nodes.length >= MAX_LOOKUPS || isOver()) break;
    if (turns.isDue) await turns.yield();
    const node = find() ?? new Uint8Array();
    nodes.push(node);
    bytes += node.length;
  }
  return [nodes];
}

type Find = () => Uint8Array | undefined;

/** A list of one path is of the account trie; otherwise an account and paths of its storage. */
function* lookups(ranges: StateRanges, paths: TrieNodesRequest["paths"]): Generator<Find> {
  for (const [first = new Uint8Array(), ...rest] of paths) {
    if (rest.length === 0) yield () => findNode(ranges, first);
    else if (first.length === HASH_BYTES) {
      for (const path of rest) yield () => findNode(ranges, path, first);
    }
  }
}

function findNode(ranges: StateRanges, path: Uint8Array, account?: Uint8Array) {
  const nibbles = decodePath(path);
  return nibbles && ranges.findNode(nibbles, account);
}

/** The nibbles of a compact path; `undefined` if it is too long or that of a value. */
function decodePath(compact: Uint8Array): Uint8Array | undefined {
  const [flags = 0] = compact;
  if (compact.length > HASH_BYTES + 1 || flags >= LEAF) return undefined;
  const isOdd = (flags & ODD) !== 0;
  const nibbles = isOdd ? [flags & 0x0f] : [];
  for (const byte of compact.subarray(1)) nibbles.push(byte >> 4, byte & 0x0f);
  return Uint8Array.from(nibbles);
}
