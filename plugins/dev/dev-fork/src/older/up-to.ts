import type { OlderBlocks } from "./older-blocks.js";

const QUANTITY = /^0x[0-9a-f]{1,16}$/i;

/** Whether what the other node sends as the number of a block is one of both networks; what is no number is not. */
export function isUpTo({ last }: Pick<OlderBlocks, "last">, number: unknown): boolean {
  return typeof number === "string" && QUANTITY.test(number) && BigInt(number) <= last;
}
