import { toHex } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { encodeManifest, type FileEntry, type Manifest, parseManifest } from "./manifest.js";

const HASH = toHex(new Uint8Array(32).fill(7));
const START = toHex(new Uint8Array(32));
const STORED = { bytes: 100, compressedBytes: 50, sha256: HASH };

const FILES: readonly FileEntry[] = [
  { name: "headers-000000.bin", kind: "headers", firstBlock: 0n, count: 4, ...STORED },
  { name: "headers-000001.bin", kind: "headers", firstBlock: 4n, count: 2, ...STORED },
  { name: "state-000000.bin", kind: "state", from: START, to: HASH, ...STORED },
  { name: "state-000001.bin", kind: "state", from: HASH, ...STORED },
  { name: "codes-000000.bin", kind: "codes", count: 3, ...STORED },
  { name: "blocks-000000.bin", kind: "blocks", firstBlock: 2n, count: 4, ...STORED },
];
const MANIFEST: Manifest = {
  chainId: 1337n,
  genesisHash: HASH,
  block: { number: 5n, hash: HASH, stateRoot: HASH },
  files: FILES,
};

describe("a manifest", () => {
  it("is read as it was written", () => {
    expect(parseManifest(encodeManifest(MANIFEST))).toEqual(MANIFEST);
  });

  it("may have headers after its block, and no blocks", () => {
    const block = { ...MANIFEST.block, number: 3n };
    const manifest = { ...MANIFEST, block, files: FILES.slice(0, 5) };

    expect(parseManifest(encodeManifest(manifest))).toEqual(manifest);
  });

  it.each<[string, (file: FileEntry) => object]>([
    ["a path in a name", () => ({ name: "../state-000000.bin" })],
    [
      "a name of another kind",
      ({ kind }) => ({ name: `${kind === "codes" ? "state" : "codes"}-000009.bin` }),
    ],
    ["the same name twice", () => ({ name: "state-000000.bin", kind: "state", from: START })],
    ["a kind that is not known", () => ({ kind: "other" })],
    ["a file that is too large", () => ({ bytes: 2 ** 30 })],
    ["a compressed file that is too large", () => ({ compressedBytes: 2 ** 30 })],
    ["an empty file", () => ({ bytes: 0 })],
    ["a fraction of a byte", () => ({ bytes: 1.5 })],
    ["a hash that is too short", () => ({ sha256: "0x07" })],
    ["a text as a size", () => ({ bytes: "100" })],
  ])("is refused with %s", (_, change) => {
    FILES.forEach((file, index) => {
      if (index === 2) return;
      const json = JSON.parse(Buffer.from(encodeManifest(MANIFEST)).toString());
      Object.assign(json.files[index], change(file));
      expect(() => parseManifest(Buffer.from(JSON.stringify(json)))).toThrow("manifest.json: ");
    });
  });

  it.each<[string, string, readonly FileEntry[]]>([
    ["without headers", "headers end", FILES.slice(2)],
    ["whose headers end early", "headers end", FILES.toSpliced(1, 1)],
    ["whose headers start late", "starts with block 4", FILES.toSpliced(0, 1)],
    ["without state", "state ends", FILES.toSpliced(2, 2)],
    ["whose state starts late", "starts at", FILES.toSpliced(2, 1)],
    ["whose state ends early", "state ends", FILES.toSpliced(3, 1)],
    ["whose chunks are in another order", "starts at", FILES.toReversed()],
    [
      "whose blocks end early",
      "blocks do not end",
      [...FILES.slice(0, 5), { ...FILES[5], count: 3 } as FileEntry],
    ],
  ])("is refused %s", (_, reason, files) => {
    const headers = [...files].sort((a, b) =>
      a.kind === "headers" && b.kind === "headers" ? a.name.localeCompare(b.name) : 0,
    );
    expect(() => parseManifest(encodeManifest({ ...MANIFEST, files: headers }))).toThrow(reason);
  });

  it.each([
    ["of another format", { format: "other" }],
    ["of a later version", { version: 2 }],
    ["without a chain id", { chainId: undefined }],
    ["with a negative block", { block: { number: -1, hash: HASH, stateRoot: HASH } }],
    ["with files that are no list", { files: {} }],
  ])("is refused %s", (_, change) => {
    const json = { ...JSON.parse(Buffer.from(encodeManifest(MANIFEST)).toString()), ...change };

    expect(() => parseManifest(Buffer.from(JSON.stringify(json)))).toThrow("manifest.json: ");
  });

  it.each(["", "{", "null", "[]", "{}"])("is refused as %j", (text) => {
    expect(() => parseManifest(Buffer.from(text))).toThrow("manifest.json: ");
  });
});
