import type { Word } from "../arithmetic/words.js";
import type { Instruction } from "./instruction.js";

const WORD_BITS = 256;

/** EIP-7939: how many bits of a word are zero before the first that is not. */
export const CLZ: Instruction = {
  perform(_machine, { stack, sp }) {
    const value = stack[sp - 1] as Word;
    stack[sp - 1] = value === 0 ? WORD_BITS : WORD_BITS - value.toString(2).length;
  },
};
