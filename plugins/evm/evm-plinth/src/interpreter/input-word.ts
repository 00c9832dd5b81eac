import { readWord, WORD_BYTES, type Word, wordOfBytes } from "../arithmetic/words.js";
import type { Frame } from "./frame.js";

/** The word of the input of a frame that begins at an offset, padded with zeros. */
export function inputWord(frame: Frame, start: Word): Word {
  const { input } = frame;
  if (typeof start !== "number" || start >= input.length) return 0;
  if (start + WORD_BYTES <= input.length) return readWord(frame.inputView, start);
  const padded = new Uint8Array(WORD_BYTES);
  padded.set(input.subarray(start));
  return wordOfBytes(padded);
}
