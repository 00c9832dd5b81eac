import type { Steps } from "@plinth/core/async";
import { toBytes } from "../bytes.js";
import { InvalidInput } from "../precompile.js";
import { type Mcl, SIZE } from "./mcl.js";

/** How a precompile encodes the elements of a curve's field. */
export interface CurveEncoding {
  /** The order of the base field. */
  readonly modulus: bigint;
  /** Size of a field element in the memory of the precompile. */
  readonly elementBytes: number;
  /** Size of a field element without the padding of the encoding. */
  readonly fieldBytes: number;
  /**
   * The order of the two halves of an element of the quadratic extension: the real part first or
   * last.
   */
  readonly isRealFirst: boolean;
}

/** Reads and writes the points of a curve. */
export class Curve {
  readonly mcl: Mcl;
  readonly g1Bytes: number;
  readonly g2Bytes: number;
  readonly #encoding: CurveEncoding;
  readonly #modulus: Uint8Array;
  readonly #scratch: number;
  #bytes: Uint8Array;

  constructor(mcl: Mcl, encoding: CurveEncoding) {
    this.mcl = mcl;
    this.g1Bytes = 2 * encoding.elementBytes;
    this.g2Bytes = 4 * encoding.elementBytes;
    this.#encoding = encoding;
    this.#modulus = toBytes(encoding.modulus, encoding.elementBytes);
    this.#scratch = mcl.allocate(2 * SIZE.fp);
    this.#bytes = new Uint8Array(mcl.memory.buffer);
  }

  /** Decodes a field element that must be below the field order. */
  readFp(data: Uint8Array, target: number): void {
    const { elementBytes, fieldBytes } = this.#encoding;
    if (!isBelow(data, this.#modulus)) throw new InvalidInput("a field element is not canonical");
    this.copyIn(data.subarray(elementBytes - fieldBytes), this.#scratch);
    this.mcl.mclBnFp_setBigEndianMod(target, this.#scratch, fieldBytes);
  }

  /** Decodes an element of the quadratic extension. */
  readFp2(data: Uint8Array, target: number): void {
    const { elementBytes, isRealFirst } = this.#encoding;
    const [first, second] = isRealFirst ? [0, SIZE.fp] : [SIZE.fp, 0];
    this.readFp(data.subarray(0, elementBytes), target + first);
    this.readFp(data.subarray(elementBytes, 2 * elementBytes), target + second);
  }

  /** Decodes a scalar of 32 bytes, modulo the group order. */
  readScalar(data: Uint8Array, target: number): void {
    this.copyIn(data, this.#scratch);
    this.mcl.mclBnFr_setBigEndianMod(target, this.#scratch, data.length);
  }

  /** Decodes a point of the curve, which need not be in the subgroup; false for the point at infinity. */
  readG1(data: Uint8Array, target: number): boolean {
    const { mcl } = this;
    mcl.mclBnG1_clear(target);
    if (isZero(data)) return false;
    const half = this.g1Bytes / 2;
    this.readFp(data.subarray(0, half), target);
    this.readFp(data.subarray(half), target + SIZE.fp);
    mcl.mclBnFp_setInt32(target + 2 * SIZE.fp, 1);
    if (mcl.mclBnG1_isValid(target) === 0) throw new InvalidInput("a point is not on the curve");
    return true;
  }

  /** Decodes a point of the twist, which need not be in the subgroup; false for the point at infinity. */
  readG2(data: Uint8Array, target: number): boolean {
    const { mcl } = this;
    mcl.mclBnG2_clear(target);
    if (isZero(data)) return false;
    const half = this.g2Bytes / 2;
    this.readFp2(data.subarray(0, half), target);
    this.readFp2(data.subarray(half), target + SIZE.fp2);
    mcl.mclBnFp_setInt32(target + 2 * SIZE.fp2, 1);
    if (mcl.mclBnG2_isValid(target) === 0) throw new InvalidInput("a point is not on the curve");
    return true;
  }

  /** Encodes a point; zeros for the point at infinity. */
  writeG1(source: number): Uint8Array {
    const { mcl } = this;
    const output = new Uint8Array(this.g1Bytes);
    if (mcl.mclBnG1_isZero(source) === 1) return output;
    mcl.mclBnG1_normalize(source, source);
    const half = this.g1Bytes / 2;
    this.writeFp(source, output.subarray(0, half));
    this.writeFp(source + SIZE.fp, output.subarray(half));
    return output;
  }

  /** Encodes a point of the twist; zeros for the point at infinity. */
  writeG2(source: number): Uint8Array {
    const { mcl } = this;
    const output = new Uint8Array(this.g2Bytes);
    if (mcl.mclBnG2_isZero(source) === 1) return output;
    mcl.mclBnG2_normalize(source, source);
    const { elementBytes, isRealFirst } = this.#encoding;
    for (let index = 0; index < 4; index++) {
      const part = isRealFirst ? index : index ^ 1;
      const start = part * elementBytes;
      this.writeFp(source + index * SIZE.fp, output.subarray(start, start + elementBytes));
    }
    return output;
  }

  /** Encodes a field element at the end of the output. */
  writeFp(source: number, output: Uint8Array): void {
    const length = this.mcl.mclBnFp_getLittleEndian(this.#scratch, SIZE.fp, source);
    const bytes = this.memory().slice(this.#scratch, this.#scratch + length);
    output.set(bytes.reverse(), output.length - length);
  }

  /** Copies bytes into the memory of mcl. */
  copyIn(data: Uint8Array, address: number): void {
    this.memory().set(data, address);
  }

  /**
   * Ends a step: others may use the memory of mcl then, so that values still needed are restored
   * after it.
   */
  *pause(address: number, bytes: number): Steps<void> {
    const kept = this.memory().slice(address, address + bytes);
    yield;
    this.copyIn(kept, address);
  }

  /** The memory of mcl; a new view after it has grown. */
  memory(): Uint8Array {
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.mcl.memory.buffer);
    return this.#bytes;
  }
}

/** Compares big-endian numbers of the same length. */
function isBelow(value: Uint8Array, limit: Uint8Array): boolean {
  for (let index = 0; index < limit.length; index++) {
    const difference = (value[index] ?? 0) - (limit[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function isZero(data: Uint8Array): boolean {
  return data.every((byte) => byte === 0);
}
