import type { Word } from "../arithmetic/words.js";
import type { Instruction } from "./instruction.js";

const WORD_BITS = 256;
const HALF = 2 ** 32;

/** EIP-7939: number of leading zero bits of a word. */
export const CLZ: Instruction = {
  perform(_machine, { stack, sp }) {
    stack[sp - 1] = WORD_BITS - bitLength(stack[sp - 1] as Word);
  },
};

function bitLength(value: Word): number {
  if (typeof value === "number") {
    const high = Math.floor(value / HALF);
    return high === 0 ? 32 - Math.clz32(value) : 64 - Math.clz32(high);
  }
  const digits = value.toString(16);
  return 4 * digits.length - Math.clz32(Number.parseInt(digits.charAt(0), 16)) + 28;
}
