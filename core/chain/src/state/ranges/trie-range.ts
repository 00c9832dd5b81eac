import { EMPTY_ROOT, type Hash } from "@plinth/core";
import { bytesOf } from "../state-values.js";
import type { NodeReader } from "../trie.js";
import { isHash, type Link, type Nibbles } from "../trie-nodes.js";

/** An entry of a trie whose keys are hashes. */
export interface TrieEntry {
  readonly key: Hash;
  readonly value: Uint8Array;
}

/** A pending part of the iteration: a link, and the nibbles that lead to it. */
interface Open {
  readonly link: Link;
  readonly path: string;
}

/** The entries of a trie in key order, from a key on. */
export function* entriesFrom(
  nodes: NodeReader,
  { root, start }: { readonly root: Hash; readonly start: Hash },
): Generator<TrieEntry, undefined> {
  if (root === EMPTY_ROOT) return;
  const from = start.slice(2);
  const open: Open[] = [{ link: bytesOf(root), path: "" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path } = next;
    // Everything below has the path as its prefix, so none of it is at or behind the start.
    if (path < from.slice(0, path.length)) continue;
    const node = isHash(next.link) ? nodes.getNode(next.link, nibblesIn(path)) : next.link;
    if (node.kind === "branch") {
      for (let digit = node.children.length - 1; digit >= 0; digit--) {
        const link = node.children[digit];
        if (link !== undefined) open.push({ link, path: path + DIGITS[digit] });
      }
    } else if (node.kind === "extension") {
      open.push({ link: node.child, path: path + digitsOf(node.path) });
    } else {
      const key = path + digitsOf(node.path);
      if (key >= from) yield { key: `0x${key}`, value: node.value };
    }
  }
}

const DIGITS = Array.from("0123456789abcdef");

function nibblesIn(digits: string): Nibbles {
  const nibbles = new Uint8Array(digits.length);
  for (let at = 0; at < digits.length; at++) {
    const code = digits.charCodeAt(at);
    nibbles[at] = code < 0x61 ? code - 0x30 : code - 0x61 + 10;
  }
  return nibbles;
}

/** Called for every entry, so without arrays in between. */
function digitsOf(nibbles: Nibbles): string {
  let digits = "";
  for (const nibble of nibbles) digits += DIGITS[nibble];
  return digits;
}
