import { wasm } from "@plinth/core/primitives";
import { encodeBlake2f, LAYOUT } from "./blake2f-module.js";
import { type Compute, InvalidInput } from "./precompile.js";

const INPUT_BYTES = 213;
const STATE_WORDS = 8;
const STATE_START = 4;
const MESSAGE_START = 68;
const MESSAGE_END = 196;
const OFFSET_START = 196;
const FINAL_FLAG = 212;
/**
 * A few milliseconds; a multiple of ten, so that every call starts with the first row of the
 * schedule.
 */
const ROUNDS_PER_CALL = 100_000;

/** RFC 7693: the initialization vector. */
const IV = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];

/** Price of blake2f (EIP-152): one gas per round. */
export function blake2fGas(data: Uint8Array): bigint {
  return data.length === INPUT_BYTES ? BigInt(viewOf(data).getUint32(0)) : 0n;
}

/** Instantiates the compression function of BLAKE2b (EIP-152). */
export function loadBlake2f(): Compute {
  const { memory, functions } = wasm.instantiate(encodeBlake2f(), ["rounds"]);
  const vector = new BigUint64Array(memory.buffer, LAYOUT.vector, 2 * STATE_WORDS);
  const message = new Uint8Array(memory.buffer, LAYOUT.message, MESSAGE_END - MESSAGE_START);
  return function* (data) {
    const view = verifyInput(data);
    const state = IV.map((_, index) => view.getBigUint64(STATE_START + 8 * index, true));
    vector.set([...state, ...secondHalf(view)]);
    message.set(data.subarray(MESSAGE_START, MESSAGE_END));
    let left = view.getUint32(0);
    for (; left > ROUNDS_PER_CALL; left -= ROUNDS_PER_CALL) {
      functions.rounds(ROUNDS_PER_CALL);
      const kept = vector.slice();
      yield;
      vector.set(kept);
      message.set(data.subarray(MESSAGE_START, MESSAGE_END));
    }
    functions.rounds(left);
    return output(state, vector);
  };
}

function verifyInput(data: Uint8Array): DataView {
  if (data.length !== INPUT_BYTES) throw new InvalidInput(`blake2f: ${data.length} bytes`);
  const flag = data[FINAL_FLAG] ?? 0;
  if (flag > 1) throw new InvalidInput(`blake2f: final flag ${flag}`);
  return viewOf(data);
}

/**
 * The words of the working vector that are not from the state: the offset and the flag, combined
 * with the constants.
 */
function secondHalf(view: DataView): bigint[] {
  const half = [...IV];
  half[4] = (IV[4] ?? 0n) ^ view.getBigUint64(OFFSET_START, true);
  half[5] = (IV[5] ?? 0n) ^ view.getBigUint64(OFFSET_START + 8, true);
  if (view.getUint8(FINAL_FLAG) === 1) half[6] = BigInt.asUintN(64, ~(IV[6] ?? 0n));
  return half;
}

function output(state: readonly bigint[], vector: BigUint64Array): Uint8Array {
  const words = state.map(
    (word, index) => word ^ (vector[index] ?? 0n) ^ (vector[index + STATE_WORDS] ?? 0n),
  );
  return new Uint8Array(BigUint64Array.from(words).buffer);
}

function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.length);
}
