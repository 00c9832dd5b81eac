import { hexToBytes } from "@plinth/core";
import type { Sidecar } from "@plinth/core/blocks";
import { afterAll, describe, expect, it } from "vitest";
import { ProofChecker } from "./proof-checker.js";

const bytes = (hex: string) => hexToBytes(hex);

/** 4096 times the number 7. */
const SEVENS = bytes(`${"00".repeat(31)}07`.repeat(4096));
const ZEROS = new Uint8Array(131_072);
/**
 * A commitment to a polynomial that is 7 everywhere; one that is 0 everywhere has the point at
 * infinity.
 */
const SEVENS_POINT = bytes(
  "b928f3beb93519eecf0145da903b40a4c97dca00b21f12ac0df3be9116ef2ef27b2ae6bcd4c5bc2d54ef5a70627efcb7",
);
/** Also the proof of any constant polynomial. */
const INFINITY = bytes(`c0${"00".repeat(47)}`);
const CELLS = 128;

const SIDECAR: Sidecar = {
  proofsOf: "blobs",
  blobs: [SEVENS, ZEROS],
  commitments: [SEVENS_POINT, INFINITY],
  proofs: [INFINITY, INFINITY],
};

describe("proofs of blobs", () => {
  const checker = new ProofChecker();
  afterAll(() => checker.close());

  it.each<[string, boolean, Partial<Sidecar>]>([
    ["right", true, {}],
    ["of other blobs", false, { blobs: [ZEROS, SEVENS] }],
    ["another point", false, { proofs: [SEVENS_POINT, INFINITY] }],
    ["no point at all", false, { proofs: [new Uint8Array(48).fill(0xff), INFINITY] }],
    ["of numbers that are too large", false, { blobs: [SEVENS, ZEROS.map(() => 0xff)] }],
    ["right for every cell", true, { proofsOf: "cells", proofs: Array(2 * CELLS).fill(INFINITY) }],
    [
      "wrong for one cell",
      false,
      {
        proofsOf: "cells",
        proofs: Array(2 * CELLS)
          .fill(INFINITY)
          .with(200, SEVENS_POINT),
      },
    ],
  ])(
    "are verified on a thread: %s",
    async (_, isRight, change) => {
      expect(await checker.check({ ...SIDECAR, ...change })).toBe(isRight);
    },
    30_000,
  );

  it("fail with the thread, and the next ones use another", async () => {
    const other = new ProofChecker();
    const lost = expect(other.check(SIDECAR)).rejects.toThrow("ended");
    await other.close();
    await lost;

    expect(await other.check(SIDECAR)).toBe(true);
    await other.close();
  }, 30_000);
});
