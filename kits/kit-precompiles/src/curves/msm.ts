import { type Compute, InvalidInput } from "../precompile.js";
import type { Curve } from "./curve.js";
import { SIZE } from "./mcl.js";
import type { VerifySubgroup } from "./pairing.js";

const SCALAR_BYTES = 32;
/** Number of points decoded and verified in a step: some three milliseconds. */
const POINTS_PER_STEP = 8;

/** The group of a multi-scalar multiplication. */
export interface MsmGroup {
  readonly pointBytes: number;
  /** Size of a point in the memory of mcl. */
  readonly size: number;
  /** Points per multiplication, which is one step: more is faster, but others wait longer. */
  readonly pointsPerCall: number;
  readonly verify: VerifySubgroup;
  read(data: Uint8Array, target: number): boolean;
  write(source: number): Uint8Array;
  clear(target: number): void;
  add(target: number, one: number, other: number): void;
  multiply(target: number, points: number, scalars: number, count: number): void;
}

/** Creates a multi-scalar multiplication: the sum of points, each multiplied by a scalar. */
export function createMsm(curve: Curve, group: MsmGroup): Compute {
  const { mcl } = curve;
  const { pointBytes, size, pointsPerCall, verify } = group;
  const keptBytes = size + pointsPerCall * (size + SIZE.fr);
  const sum = mcl.allocate(keptBytes);
  const points = sum + size;
  const scalars = points + pointsPerCall * size;
  const product = mcl.allocate(size);
  const pairBytes = pointBytes + SCALAR_BYTES;

  /**
   * Decodes a point and its scalar to an address; false for the point at infinity, which adds
   * nothing.
   */
  function readPair(pair: Uint8Array, place: number): boolean {
    const point = points + place * size;
    if (!group.read(pair.subarray(0, pointBytes), point)) return false;
    verify(point);
    curve.readScalar(pair.subarray(pointBytes), scalars + place * SIZE.fr);
    return true;
  }

  function addProducts(count: number): void {
    if (count === 0) return;
    group.multiply(product, points, scalars, count);
    group.add(sum, sum, product);
  }

  return function* (data) {
    if (data.length === 0 || data.length % pairBytes !== 0) {
      throw new InvalidInput(`multi-scalar multiplication: ${data.length} bytes`);
    }
    group.clear(sum);
    let count = 0;
    for (let start = 0; start < data.length; start += pairBytes) {
      if (readPair(data.subarray(start, start + pairBytes), count)) count += 1;
      if ((start / pairBytes) % POINTS_PER_STEP === POINTS_PER_STEP - 1) {
        yield* curve.pause(sum, keptBytes);
      }
      if (count === pointsPerCall) {
        addProducts(count);
        count = 0;
        yield* curve.pause(sum, keptBytes);
      }
    }
    addProducts(count);
    return group.write(sum);
  };
}
