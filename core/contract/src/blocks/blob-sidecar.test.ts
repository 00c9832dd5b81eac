import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Hash, hexToBytes } from "../primitives/hex.js";
import { encodeRlp, type Rlp, RlpError } from "../primitives/rlp.js";
import { matchesHashes, openNetworkForm, type Sidecar } from "./blob-sidecar.js";
import { encodeEnvelope } from "./envelope.js";

const bytes = (hex: string) => hexToBytes(hex);

/** A blob of 4096 field elements, each 7. */
const SEVENS = bytes(`${"00".repeat(31)}07`.repeat(4096));
const ZEROS = new Uint8Array(131_072);
/** The commitment to the constant polynomial 7; that of the constant 0 is the point at infinity. */
const SEVENS_POINT = bytes(
  "b928f3beb93519eecf0145da903b40a4c97dca00b21f12ac0df3be9116ef2ef27b2ae6bcd4c5bc2d54ef5a70627efcb7",
);
/** Also the proof of every constant polynomial. */
const INFINITY = bytes(`c0${"00".repeat(47)}`);

const hashOf = (point: Uint8Array): Hash =>
  `0x01${createHash("sha256").update(point).digest("hex").slice(2)}`;

const SIDECAR: Sidecar = {
  proofsOf: "blobs",
  blobs: [SEVENS, ZEROS],
  commitments: [SEVENS_POINT, INFINITY],
  proofs: [INFINITY, INFINITY],
};
const HASHES = SIDECAR.commitments.map(hashOf);

const wrap = (...items: readonly Rlp[]) =>
  Buffer.concat([Uint8Array.of(3), encodeRlp([[Uint8Array.of(1)], ...items])]);

describe("the network encoding of blob transactions", () => {
  it.each<[Sidecar["proofsOf"], readonly Rlp[]]>([
    ["blobs", []],
    ["cells", [Uint8Array.of(1)]],
  ])("is decoded with proofs of %s", (proofsOf, version) => {
    const { blobs, commitments, proofs } = SIDECAR;

    const { raw, sidecar } = openNetworkForm(wrap(...version, blobs, commitments, proofs));

    expect(raw).toEqual(encodeEnvelope(3, [Uint8Array.of(1)]));
    expect(sidecar).toEqual({ ...SIDECAR, proofsOf });
  });

  it.each([
    ["of another type", Uint8Array.of(2, 0xc0)],
    ["without blobs", encodeEnvelope(3, [Uint8Array.of(1)])],
  ])("leaves a transaction unchanged that is %s", (_, raw) => {
    expect(openNetworkForm(raw)).toEqual({ raw, sidecar: undefined });
  });

  it.each<[string, readonly Rlp[]]>([
    ["another version", [Uint8Array.of(2), [], [], []]],
    ["one list too few", [[], []]],
    ["one list too many", [[], [], [], []]],
    ["bytes in place of a list", [[], [], Uint8Array.of(5, 5)]],
    ["a short blob", [[new Uint8Array(32)], [INFINITY], [INFINITY]]],
    ["a short proof", [[ZEROS], [INFINITY], [new Uint8Array(47)]]],
  ])("is rejected with %s", (_, items) => {
    expect(() => openNetworkForm(wrap(...items))).toThrow(RlpError);
  });
});

describe("a sidecar", () => {
  it("matches the versioned hashes of its commitments", () => {
    expect(matchesHashes(SIDECAR, HASHES)).toBe(true);
    expect(matchesHashes(SIDECAR, HASHES.toReversed())).toBe(false);
    expect(matchesHashes(SIDECAR, HASHES.slice(1))).toBe(false);
    expect(matchesHashes({ ...SIDECAR, proofs: [INFINITY] }, HASHES)).toBe(false);
    expect(matchesHashes({ ...SIDECAR, proofsOf: "cells" }, HASHES)).toBe(false);
  });
});
