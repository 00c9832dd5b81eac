import type { TraceStep } from "@plinth/core/evm";

const WORD_BYTES = 32;

/**
 * Memory operands of instructions that end a frame or start another: offset and length, as stack
 * positions from the top.
 */
const RANGES: Readonly<Record<number, readonly (readonly [offset: number, length: number])[]>> = {
  240: [[1, 2]],
  241: [
    [3, 4],
    [5, 6],
  ],
  242: [
    [3, 4],
    [5, 6],
  ],
  243: [[0, 1]],
  244: [
    [2, 3],
    [4, 5],
  ],
  245: [[1, 2]],
  250: [
    [2, 3],
    [4, 5],
  ],
  253: [[0, 1]],
};

/** The memory after such an instruction: expanded to its operands, with nothing written yet. */
export function memoryAfter({ op, stack, memory }: TraceStep): Uint8Array {
  const item = (place: number) => Number(stack[stack.length - 1 - place] ?? 0n);
  const ends = (RANGES[op] ?? []).map(([offset, length]) =>
    item(length) === 0 ? 0 : item(offset) + item(length),
  );
  const size = Math.ceil(Math.max(0, ...ends) / WORD_BYTES) * WORD_BYTES;
  if (size <= memory.length) return memory;
  const grown = new Uint8Array(size);
  grown.set(memory);
  return grown;
}

/** Memory in words of 64 hex digits. */
export function memoryWords(memory: Uint8Array): readonly string[] {
  const digits = Buffer.from(memory.buffer, memory.byteOffset, memory.length).toString("hex");
  const words: string[] = [];
  for (let at = 0; at < digits.length; at += 2 * WORD_BYTES) {
    words.push(digits.slice(at, at + 2 * WORD_BYTES));
  }
  return words;
}
