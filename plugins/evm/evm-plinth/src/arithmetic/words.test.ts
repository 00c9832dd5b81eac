import { describe, expect, it } from "vitest";
import {
  addressOfWord,
  bytesOfWord,
  hashOfWord,
  readWord,
  toWord,
  wordOfBytes,
  wordOfHex,
  wrap,
  writeWord,
} from "./words.js";

const VALUES = [0n, 31n, 32n, 48n, 52n, 53n, 63n, 64n, 127n, 128n, 159n, 160n, 191n, 192n, 255n]
  .flatMap((bits) => [2n ** bits - 1n, 2n ** bits, 2n ** bits + 1n])
  .concat(2n ** 256n - 1n);

describe("a word", () => {
  it("is a number exactly up to 2^53 - 1", () => {
    expect(toWord(2n ** 53n - 1n)).toBe(2 ** 53 - 1);
    expect(toWord(2n ** 53n)).toBe(2n ** 53n);
    expect(wrap(-1n)).toBe(2n ** 256n - 1n);
    expect(wrap(2n ** 256n + 5n)).toBe(5);
  });

  it.each(VALUES)("%s survives memory", (value) => {
    const bytes = new Uint8Array(64).fill(0xff);
    const view = new DataView(bytes.buffer);

    writeWord(view, 7, toWord(value));

    expect(readWord(view, 7)).toBe(toWord(value));
    expect(Buffer.from(bytes.subarray(7, 39)).toString("hex")).toBe(
      value.toString(16).padStart(64, "0"),
    );
    expect([bytes[6], bytes[39]]).toEqual([0xff, 0xff]);
    expect(wordOfBytes(bytes, 7, 39)).toBe(toWord(value));
    expect(wordOfBytes(bytesOfWord(toWord(value)))).toBe(toWord(value));
  });

  it("is an address by its lowest 20 bytes", () => {
    expect(addressOfWord(2n ** 255n + 5n)).toBe(`0x${"5".padStart(40, "0")}`);
    expect(addressOfWord(wordOfHex(`0x${"ab".repeat(20)}`))).toBe(`0x${"ab".repeat(20)}`);
    for (const value of [0, 4, 0x100, 0x11f, 0x120, 2 ** 53 - 1]) {
      expect(addressOfWord(value)).toBe(`0x${value.toString(16).padStart(40, "0")}`);
      expect(addressOfWord(2n ** 160n + BigInt(value))).toBe(addressOfWord(value));
    }
    expect(hashOfWord(255)).toBe(`0x${"ff".padStart(64, "0")}`);
  });
});
