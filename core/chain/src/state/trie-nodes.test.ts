import { encodeRlp, type Rlp } from "@plinth/core";
import { describe, expect, it } from "vitest";
import {
  type BranchNode,
  childOf,
  decodeNode,
  encodeNode,
  type TrieNode,
  UsualBranch,
} from "./trie-nodes.js";

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

    const decoded = decodeNode(encoded);

    expect(
      decoded.kind === "branch" ? { ...decoded, children: decoded.children } : decoded,
    ).toMatchObject(node);
    expect(encodeNode(decoded)).toEqual(encoded);
  });

  it.each([0, 1, 2, 3, 7, 8, 15, 16])("with %i hashes is kept as it is encoded", (count) => {
    const children = Array.from({ length: 16 }, (_, at) =>
      (at * 7) % 16 < count ? HASH.map((byte) => byte + at) : undefined,
    );
    const encoded = encodeNode({ kind: "branch", children, value: undefined });

    const branch = decodeNode(encoded) as BranchNode;

    expect(branch instanceof UsualBranch).toBe(count > 1);
    expect(children.map((_, nibble) => childOf(branch, nibble))).toEqual(children);
    expect(branch.children).toEqual(children);
    if (!(branch instanceof UsualBranch)) return;
    const [nibble, empty] = [children.findIndex(Boolean), children.indexOf(undefined)];
    const other = children.with(nibble, HASH);
    expect(branch.replace(new Map([[nibble, HASH]]))?.children).toEqual(other);
    expect(encodeNode(branch)).toEqual(encoded);
    if (empty !== -1) expect(branch.replace(new Map([[empty, HASH]]))).toBeUndefined();
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
