import { wasm } from "@plinth/core/primitives";

const {
  block,
  br,
  brIf,
  call,
  encodeModule,
  get,
  i32,
  i64,
  load,
  loadByte,
  loop,
  OP,
  set,
  store,
  tee,
} = wasm;

/**
 * Bits of a limb.
 *
 * A product of two limbs has 56 bits, so that an i64 can hold the sum of 256 of them and carries
 * are deferred to the end.
 */
export const LIMB_BITS = 28;

/** Minimum and maximum number of limbs of a modulus; above it, the BigInt of V8 is faster. */
export const MIN_LIMBS = 2;
export const MAX_LIMBS = 20;

/** Number of exponent bits per multiplication by a power of the base. */
export const WINDOW_BITS = 4;

const LIMB_BYTES = 8;
const MASK = (1n << BigInt(LIMB_BITS)) - 1n;
const MULTIPLY = 0;

/** The memory layout of the module for a number of limbs; offsets in bytes. */
export function montgomeryLayout(limbs: number) {
  const size = limbs * LIMB_BYTES;
  const powers = 2 * size + LIMB_BYTES;
  return {
    /** The modulus, which is odd. */
    modulus: 0,
    /** The negative inverse of the modulus, modulo 2^28. */
    inverse: size,
    /** The result so far. */
    result: size + LIMB_BYTES,
    /** The powers 0 to 15 of the base. */
    powers,
    size,
    /** The exponent, a byte for every four bits, most significant first. */
    windows: powers + 2 ** WINDOW_BITS * size,
  };
}

/**
 * Encodes a module for Montgomery arithmetic with a number of limbs.
 *
 * `multiply(r, a, b)` takes addresses and returns a·b/R; `power(from, to)` raises the result by the windows at
 * these addresses. Operands and results are below twice the modulus, and R is above four times the modulus, so
 * that no subtraction is needed.
 */
export function encodeMontgomery(limbs: number): Uint8Array {
  return encodeModule(
    [
      { name: "multiply", parameters: 3, locals: limbs + 2, code: multiply(limbs) },
      { name: "power", parameters: 2, locals: 0, code: power(limbs) },
    ],
    1,
  );
}

const [TARGET, LEFT, RIGHT, FACTOR, QUOTIENT, FIRST_SUM] = [0, 1, 2, 3, 4, 5] as const;

/** Row by row, with a step of the reduction after each; the limbs of the sum rotate through the locals. */
function multiply(limbs: number): number[] {
  const { modulus, inverse } = montgomeryLayout(limbs);
  const all = Array.from({ length: limbs }, (_, index) => index);
  const rows = all.flatMap((row) => {
    const sum = (limb: number) => FIRST_SUM + ((row + limb) % limbs);
    // The top limb of a row is the one freed by the previous row.
    const isNew = (limb: number) => row === 0 || limb === limbs - 1;
    return [
      ...[...get(LEFT), ...load(row * LIMB_BYTES), ...set(FACTOR)],
      ...all.flatMap((limb) => [
        ...(isNew(limb) ? [] : get(sum(limb))),
        ...[...get(FACTOR), ...get(RIGHT), ...load(limb * LIMB_BYTES), OP.i64Mul],
        ...(isNew(limb) ? [] : [OP.i64Add]),
        ...set(sum(limb)),
      ]),
      ...[...get(sum(0)), ...i32(0), ...load(inverse), OP.i64Mul, ...low(), ...set(QUOTIENT)],
      ...all.flatMap((limb) => [
        ...[...get(sum(limb)), ...get(QUOTIENT), ...i32(0), ...load(modulus + limb * LIMB_BYTES)],
        ...[OP.i64Mul, OP.i64Add, ...set(sum(limb))],
      ]),
      // The lowest limb is now a multiple of 2^28, so the sum moves down by a limb.
      ...[...get(sum(0)), ...high(), ...get(sum(1)), OP.i64Add, ...set(sum(1))],
    ];
  });
  return [...rows, ...storeNormalized(limbs)];
}

/** Propagates the deferred carries, and stores the sum; its top limb is a carry only. */
function storeNormalized(limbs: number): number[] {
  const carry = FACTOR;
  return Array.from({ length: limbs - 1 }, (_, limb) => [
    ...[...get(FIRST_SUM + limb), ...(limb === 0 ? [] : [...get(carry), OP.i64Add])],
    ...[...tee(QUOTIENT), ...high(), ...set(carry)],
    ...[...get(TARGET), ...get(QUOTIENT), ...low(), ...store(limb * LIMB_BYTES)],
  ])
    .flat()
    .concat(get(TARGET), get(carry), store((limbs - 1) * LIMB_BYTES));
}

const low = () => [...i64(MASK), OP.i64And];
const high = () => [...i64(BigInt(LIMB_BITS)), OP.i64ShrU];

function power(limbs: number): number[] {
  const [from, to] = [0, 1];
  const { result, powers, size } = montgomeryLayout(limbs);
  const square = [...i32(result), ...i32(result), ...i32(result), ...call(MULTIPLY)];
  const isDone = [...get(from), ...get(to), OP.i32Sub, OP.i32Eqz];
  return block(
    loop(
      [...isDone, ...brIf(1)],
      Array.from({ length: WINDOW_BITS }, () => square).flat(),
      [...i32(result), ...i32(result)],
      [...get(from), ...loadByte(), ...i32(size), OP.i32Mul, ...i32(powers), OP.i32Add],
      call(MULTIPLY),
      [...get(from), ...i32(1), OP.i32Add, ...set(from)],
      br(0),
    ),
  );
}
