import { type Compute, InvalidInput } from "../precompile.js";
import type { Curve } from "./curve.js";
import { SIZE } from "./mcl.js";

/** A few milliseconds. */
const PAIRS_PER_CALL = 6;

/** Throws if a decoded point is not in the subgroup. */
export type VerifySubgroup = (point: number) => void;

/** Creates a pairing check: whether the product of the pairings of all pairs is one. */
export function createPairing(
  curve: Curve,
  verify: { readonly g1: VerifySubgroup; readonly g2: VerifySubgroup },
): Compute {
  const { mcl, g1Bytes, g2Bytes } = curve;
  const keptBytes = SIZE.gt + PAIRS_PER_CALL * (SIZE.g1 + SIZE.g2);
  const product = mcl.allocate(keptBytes);
  const firsts = product + SIZE.gt;
  const seconds = firsts + PAIRS_PER_CALL * SIZE.g1;
  const factor = mcl.allocate(SIZE.gt);
  const pairBytes = g1Bytes + g2Bytes;

  /** Decodes a pair to an address; false if a point is at infinity, whose pairing is one. */
  function readPair(pair: Uint8Array, place: number): boolean {
    const [first, second] = [firsts + place * SIZE.g1, seconds + place * SIZE.g2];
    const isFirstFinite = curve.readG1(pair.subarray(0, g1Bytes), first);
    if (isFirstFinite) verify.g1(first);
    const isSecondFinite = curve.readG2(pair.subarray(g1Bytes), second);
    if (isSecondFinite) verify.g2(second);
    return isFirstFinite && isSecondFinite;
  }

  function multiplyPairs(count: number): void {
    if (count === 0) return;
    mcl.mclBn_millerLoopVec(factor, firsts, seconds, count);
    mcl.mclBnGT_mul(product, product, factor);
  }

  return function* (data) {
    if (data.length % pairBytes !== 0) throw new InvalidInput(`pairing: ${data.length} bytes`);
    mcl.mclBnGT_setInt32(product, 1);
    let count = 0;
    for (let start = 0; start < data.length; start += pairBytes) {
      if (readPair(data.subarray(start, start + pairBytes), count)) count += 1;
      if (count === PAIRS_PER_CALL) {
        multiplyPairs(count);
        count = 0;
      }
      yield* curve.pause(product, keptBytes);
    }
    multiplyPairs(count);
    mcl.mclBn_finalExp(product, product);
    const output = new Uint8Array(32);
    output[31] = mcl.mclBnGT_isOne(product);
    return output;
  };
}
