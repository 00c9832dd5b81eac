import {
  block,
  brIf,
  encodeModule,
  get,
  i32,
  i64,
  load,
  loop,
  OP,
  set,
  store,
} from "../wasm/wasm-encoder.js";

/** Bytes of a block of input. */
export const RATE = 136;
const LANES = 25;
const LANE_BYTES = 8;
const ROUNDS = 24;

/** Where the parts of the memory, which has one page, begin. */
export const LAYOUT = { state: 0, constants: 256, input: 512 } as const;
export const STATE_BYTES = LANES * LANE_BYTES;
/** Blocks of input for which there is space. */
export const INPUT_BLOCKS = Math.floor((2 ** 16 - LAYOUT.input) / RATE);

const FIVE = [0, 1, 2, 3, 4] as const;
const ALL_LANES = Array.from({ length: LANES }, (_, lane) => lane);
const FULL_LANE = -1n;
const LANE_BITS = 64;

// Locals: the parameters of `absorb`, of which the last is 0 at first; the state, and that after theta, rho and pi; the
// parities of the columns; and one more lane.
const AT = 0;
const BLOCKS = 1;
const IS_FIRST = 2;
const DONE = 3;
const A = 4;
const B = A + LANES;
const C = B + LANES;
const D = C + FIVE.length;

/**
 * The WebAssembly module of Keccak-f[1600] with all lanes in locals; names are those of FIPS 202, and a lane is at
 * `x + 5 * y`.
 *
 * `absorb(at, blocks, isFirst, 0)` adds blocks, at least one, to the state, which counts as zero if they are the first.
 */
export function keccakModule(): Uint8Array {
  const code = [
    ...block(get(IS_FIRST), brIf(0), ...ALL_LANES.map(readLane)),
    ...loop(
      ...ALL_LANES.slice(0, RATE / LANE_BYTES).map(absorbLane),
      ...[[...i32(0), ...set(DONE)], loop(theta(), rhoAndPi(), chi(), iota())],
      ...[step(AT, RATE), step(BLOCKS, -1), get(BLOCKS), brIf(0)],
    ),
    ...ALL_LANES.flatMap(writeLane),
  ];
  return encodeModule([{ name: "absorb", parameters: A, locals: D + 1 - A, code }], 1);
}

/** The constants of the rounds, as they are in the memory of an instance: bits of a shift register. */
export function roundConstants(): BigUint64Array {
  let register = 1;
  return BigUint64Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let place = 0; place < 7; place++) {
      if ((register & 1) === 1) constant |= 1n << BigInt(2 ** place - 1);
      register <<= 1;
      if ((register & 0x100) !== 0) register ^= 0x171;
    }
    return constant;
  });
}

function readLane(lane: number): number[] {
  return [...i32(LAYOUT.state), ...load(lane * LANE_BYTES), ...set(A + lane)];
}

function writeLane(lane: number): number[] {
  return [...i32(LAYOUT.state), ...get(A + lane), ...store(lane * LANE_BYTES)];
}

function absorbLane(lane: number): number[] {
  return [...get(A + lane), ...get(AT), ...load(lane * LANE_BYTES), OP.i64Xor, ...set(A + lane)];
}

/** The parity of each column. */
function theta(): number[] {
  return FIVE.flatMap((x) => [
    ...get(A + x),
    ...[5, 10, 15, 20].flatMap((row) => [...get(A + x + row), OP.i64Xor]),
    ...set(C + x),
  ]);
}

/** Adds the parities of the columns beside it to each lane, rotates it and moves it to its place in B. */
function rhoAndPi(): number[] {
  const offsets = rotations();
  return FIVE.flatMap((x) => [
    ...[...get(C + ((x + 4) % 5)), ...get(C + ((x + 1) % 5)), ...rotateLeft(1)],
    ...[OP.i64Xor, ...set(D)],
    ...FIVE.flatMap((y) => [
      ...[...get(A + x + 5 * y), ...get(D), OP.i64Xor, ...rotateLeft(offsets[x + 5 * y] ?? 0)],
      ...set(B + y + 5 * ((2 * x + 3 * y) % 5)),
    ]),
  ]);
}

function chi(): number[] {
  return FIVE.flatMap((y) =>
    FIVE.flatMap((x) => [
      ...[...get(B + ((x + 1) % 5) + 5 * y), ...i64(FULL_LANE), OP.i64Xor],
      ...[...get(B + ((x + 2) % 5) + 5 * y), OP.i64And, ...get(B + x + 5 * y), OP.i64Xor],
      ...set(A + x + 5 * y),
    ]),
  );
}

/** Adds the constant of the round, and repeats until all are done. */
function iota(): number[] {
  return [
    ...[...get(A), ...get(DONE), ...load(LAYOUT.constants), OP.i64Xor, ...set(A)],
    ...[
      ...step(DONE, LANE_BYTES),
      ...get(DONE),
      ...i32(ROUNDS * LANE_BYTES),
      OP.i32Sub,
      ...brIf(0),
    ],
  ];
}

function step(local: number, by: number): number[] {
  return [...get(local), ...i32(by), OP.i32Add, ...set(local)];
}

function rotateLeft(bits: number): number[] {
  return [...i64(BigInt((LANE_BITS - bits) % LANE_BITS)), OP.i64Rotr];
}

function rotations(): readonly number[] {
  const offsets = ALL_LANES.map(() => 0);
  let [x, y] = [1, 0];
  for (let count = 1; count < LANES; count++) {
    offsets[x + 5 * y] = ((count * (count + 1)) / 2) % LANE_BITS;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return offsets;
}
