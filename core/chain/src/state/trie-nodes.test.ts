import { encodeRlp, type Rlp } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { decodeNode, encodeNode, type TrieNode } from "./trie-nodes.js";

const HASH = new Uint8Array(32).fill(7);
const NONE = new Uint8Array();

describe("a trie node", () => {
  it.each<[string, TrieNode]>([
    ["a leaf with an even path", { kind: "leaf", path: Uint8Array.of(1, 15), value: HASH }],
    ["a leaf with an odd path", { kind: "leaf", path: Uint8Array.of(1), value: HASH }],
    ["a leaf without path", { kind: "leaf", path: NONE, value: Uint8Array.of(1) }],
    ["an extension", { kind: "extension", path: Uint8Array.of(0, 1, 2), child: HASH }],
    ["a branch", { kind: "branch", children: Array(16).fill(HASH), value: undefined }],
    [
      "a branch with a value and a short child",
      {
        kind: "branch",
        children: [
          { kind: "leaf", path: Uint8Array.of(3), value: Uint8Array.of(4) },
          ...Array(15).fill(undefined),
        ],
        value: HASH,
      },
    ],
  ])("round-trips: %s", (_, node) => {
    const encoded = encodeNode(node);

    expect(decodeNode(encoded)).toEqual(node);
  });

  // Yellow Paper, appendix C.
  it.each([
    ["leaf", [1, 2, 3], [0x31, 0x23]],
    ["leaf", [1, 2], [0x20, 0x12]],
    ["extension", [1, 2, 3], [0x11, 0x23]],
    ["extension", [1, 2], [0x00, 0x12]],
  ] as const)("packs the path of a %s with %j digits", (kind, path, packed) => {
    const node = { kind, path: Uint8Array.from(path), value: HASH, child: HASH } as TrieNode;

    expect(encodeNode(node)).toEqual(encodeRlp([Uint8Array.from(packed), HASH]));
  });

  it.each<[string, Rlp]>([
    ["bytes", HASH],
    ["three items", [HASH, HASH, HASH]],
    ["a path without flags", [NONE, HASH]],
    ["unknown flags", [Uint8Array.of(0x40), HASH]],
    ["an extension without child", [Uint8Array.of(0x11), NONE]],
    ["a link of another length", [Uint8Array.of(0x11), Uint8Array.of(1, 2)]],
    ["a list for a value", [Uint8Array.of(0x31), [HASH]]],
  ])("is rejected if it is %s", (_, item) => {
    expect(() => decodeNode(encodeRlp(item))).toThrow(RangeError);
  });
});
