import { toHex } from "@plinth/core";
import { expect, it } from "vitest";
import { FIRST_KEY, firstKeyOf, nextKey, shareBefore } from "./keys.js";

it("parts of the keys follow each other without a gap", () => {
  const first = firstKeyOf(0, 16) ?? expect.fail("no key");
  const second = firstKeyOf(1, 16) ?? expect.fail("no key");

  expect(first).toEqual(FIRST_KEY);
  expect(toHex(second)).toBe(`0x10${"00".repeat(31)}`);
  expect(shareBefore(second)).toBe(1 / 16);
  expect(firstKeyOf(16, 16)).toBeUndefined();
});

it("the key after one carries, and there is none after the last", () => {
  const key = Buffer.alloc(32, 0xff).fill(0, 0, 1);

  expect(toHex(nextKey(key) ?? FIRST_KEY)).toBe(`0x01${"00".repeat(31)}`);
  expect(nextKey(Buffer.alloc(32, 0xff))).toBeUndefined();
});
