import { wasm } from "@plinth/core/primitives";

const { block, br, brIf, encodeModule, get, i32, i64, load, loop, OP, set, store } = wasm;

/** RFC 7693: the message word permutation of each of the ten rounds. */
const SIGMA = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/** The columns and diagonals of the state that a round mixes. */
const QUARTERS: readonly (readonly [number, number, number, number])[] = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];

const WORDS = 16;
const WORD_BYTES = 8;

/** Addresses of the working vector and the message in the memory of the module. */
export const LAYOUT = { vector: 0, message: WORDS * WORD_BYTES } as const;

/** The only parameter: the number of remaining rounds. */
const LEFT = 0;
const FIRST_WORD = 1;

/**
 * Encodes a module whose function `rounds` applies that many rounds of BLAKE2b, starting with the
 * first of ten.
 */
export function encodeBlake2f(): Uint8Array {
  const words = Array.from({ length: WORDS }, (_, index) => index);
  const code = [
    ...words.flatMap((word) => [
      ...i32(LAYOUT.vector),
      ...load(word * WORD_BYTES),
      ...set(word + FIRST_WORD),
    ]),
    ...block(loop(...SIGMA.map(round), br(0))),
    ...words.flatMap((word) => [
      ...i32(LAYOUT.vector),
      ...get(word + FIRST_WORD),
      ...store(word * WORD_BYTES),
    ]),
  ];
  return encodeModule([{ name: "rounds", parameters: 1, locals: WORDS, code }], 1);
}

function round(sigma: readonly number[]): number[] {
  return [
    ...get(LEFT),
    OP.i32Eqz,
    ...brIf(1),
    ...get(LEFT),
    ...i32(1),
    OP.i32Sub,
    ...set(LEFT),
    ...QUARTERS.flatMap((quarter, index) =>
      mix(quarter, [sigma[2 * index] ?? 0, sigma[2 * index + 1] ?? 0]),
    ),
  ];
}

/** The function G of RFC 7693. */
function mix(
  [a, b, c, d]: readonly [number, number, number, number],
  [x, y]: readonly [number, number],
): number[] {
  return [
    ...addMessage(a, b, x),
    ...rotate(d, a, 32n),
    ...add(c, d),
    ...rotate(b, c, 24n),
    ...addMessage(a, b, y),
    ...rotate(d, a, 16n),
    ...add(c, d),
    ...rotate(b, c, 63n),
  ];
}

function addMessage(target: number, other: number, word: number): number[] {
  const message = [...i32(LAYOUT.message), ...load(word * WORD_BYTES)];
  return [...sum(target, other), ...message, OP.i64Add, ...set(target + FIRST_WORD)];
}

function add(target: number, other: number): number[] {
  return [...sum(target, other), ...set(target + FIRST_WORD)];
}

function sum(one: number, other: number): number[] {
  return [...get(one + FIRST_WORD), ...get(other + FIRST_WORD), OP.i64Add];
}

function rotate(target: number, other: number, bits: bigint): number[] {
  const mixed = [...get(target + FIRST_WORD), ...get(other + FIRST_WORD), OP.i64Xor];
  return [...mixed, ...i64(bits), OP.i64Rotr, ...set(target + FIRST_WORD)];
}
