import { readFileSync } from "node:fs";
import type { Block } from "@plinth/core";
import { decodeBlock } from "@plinth/core/blocks";

/** The blocks of a file, which are concatenated without any framing. */
export function* readBlocks(path: string): Generator<Block> {
  const bytes = readFileSync(path);
  let position = 0;
  while (position < bytes.length) {
    const length = itemLength(bytes, position);
    yield decodeBlock(bytes.subarray(position, position + length));
    position += length;
  }
}

/** The length of an RLP list, including its prefix. */
function itemLength(bytes: Uint8Array, position: number): number {
  const first = bytes[position] ?? 0;
  if (first <= 0xf7) return first - 0xc0 + 1;
  const size = first - 0xf7;
  const digits = Buffer.from(bytes.subarray(position + 1, position + 1 + size)).toString("hex");
  return 1 + size + Number.parseInt(digits, 16);
}
