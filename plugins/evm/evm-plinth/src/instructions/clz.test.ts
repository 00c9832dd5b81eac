import { expect, it } from "vitest";
import { toWord } from "../arithmetic/words.js";
import type { Frame } from "../interpreter/frame.js";
import type { Machine } from "../interpreter/machine.js";
import { CLZ } from "./clz.js";

it.each([0, 1, 52, 53, 54, 64, 160, 255])("CLZ counts the zeros in front of bit %i", (bit) => {
  const stack = [7, toWord(2n ** BigInt(bit))];

  CLZ.perform({} as Machine, { stack, sp: 2 } as unknown as Frame);

  expect(stack).toEqual([7, 255 - bit]);
});

it("CLZ of zero is the length of a word", () => {
  const stack = [toWord(0n)];

  CLZ.perform({} as Machine, { stack, sp: 1 } as unknown as Frame);

  expect(stack).toEqual([256]);
});
