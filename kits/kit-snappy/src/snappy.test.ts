import { createRandom } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { decodeSnappy, decodeSnappyInTurns, readSnappyLength } from "./decode-snappy.js";
import { encodeSnappy } from "./encode-snappy.js";
import { InvalidSnappy } from "./invalid-snappy.js";

const MAX = 2 ** 24;
const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(" ", ""), "hex"));

/** Bytes with repetitions, like RLP of blocks. */
function repetitive(length: number, random: () => number): Uint8Array {
  const output = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const size = 1 + Math.floor(random() * 100);
    const isCopy = at > 0 && random() < 0.5;
    const from = Math.floor(random() * at);
    for (let n = 0; n < size && at < length; n++, at++) {
      output[at] = isCopy ? (output[from + n] ?? 0) : Math.floor(random() * 256);
    }
  }
  return output;
}

/** A varint below 2^28, in groups of seven bits. */
function varint(value: number): readonly number[] {
  return [0, 7, 14, 21].map((shift) => ((value >> shift) & 0x7f) | (shift < 21 ? 0x80 : 0));
}

describe("snappy", () => {
  it.each([0, 1, 3, 15, 16, 59, 60, 61, 255, 256, 257, 65_535, 65_536, 65_537, 200_000])(
    "round-trips %d bytes of any kind",
    (length) => {
      const random = createRandom(length);
      const noise = Uint8Array.from({ length }, () => Math.floor(random() * 256));

      for (const input of [new Uint8Array(length), noise, repetitive(length, random)]) {
        const compressed = encodeSnappy(input);
        expect(readSnappyLength(compressed)).toBe(length);
        expect(Buffer.compare(decodeSnappy(compressed, MAX), input)).toBe(0);
        expect(compressed.length).toBeLessThanOrEqual(32 + length + Math.ceil(length / 6));
      }
    },
  );

  it("compresses repetitions", () => {
    expect(encodeSnappy(new Uint8Array(100_000)).length).toBeLessThan(6_000);
    const text = Buffer.from("the same words again and again, ".repeat(100));
    expect(encodeSnappy(text).length).toBeLessThan(text.length / 10);
  });

  // From the format description of Snappy.
  it.each([
    ["a literal", "05 10 68656c6c6f", "hello"],
    ["a literal with its length after the tag", "05 f0 04 68656c6c6f", "hello"],
    ["a copy with a one-byte offset", "08 0c 61626364 01 04", "abcdabcd"],
    ["a copy with a two-byte offset", "08 0c 61626364 0e 0400", "abcdabcd"],
    ["a copy with a four-byte offset", "08 0c 61626364 0f 04000000", "abcdabcd"],
    ["a copy that repeats its own output", "0a 00 61 22 0100", "aaaaaaaaaa"],
    ["nothing", "00", ""],
  ])("reads %s", (_, input, output) => {
    expect(Buffer.from(decodeSnappy(hex(input), MAX)).toString()).toBe(output);
  });

  it.each([
    ["empty input", ""],
    ["an unterminated length", "ffffffffff01"],
    ["a length above 2^32", "ffffffff7f"],
    ["fewer bytes than declared", "06 10 68656c6c6f"],
    ["more bytes than declared", "04 10 68656c6c6f"],
    ["a copy longer than declared", "02 00 61 22 0100"],
    ["a truncated literal", "05 10 6865"],
    ["a truncated tag", "05 f0"],
    ["a copy from before the beginning", "08 0c 61626364 01 05"],
    ["a copy from nowhere", "08 0c 61626364 01 00"],
    ["a literal of 4 GiB", "05 fc ffffffff"],
  ])("refuses %s", (_, input) => {
    expect(() => decodeSnappy(hex(input), MAX)).toThrow(InvalidSnappy);
  });

  it("decompresses the worst input in turns, to the same bytes", async () => {
    const copies = 3_000_000;
    // A literal, and copies of one byte each: the most work per byte.
    const input = new Uint8Array(6 + 3 * copies);
    input.set([...varint(copies + 1), 0, 7]);
    for (let at = 6; at < input.length; at += 3) input.set([2, 1, 0], at);
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);

    const output = await decodeSnappyInTurns(input, MAX);

    clearImmediate(timer);
    expect(turns).toBeGreaterThan(2);
    expect(Buffer.compare(output, new Uint8Array(copies + 1).fill(7))).toBe(0);
    await expect(decodeSnappyInTurns(input.subarray(0, -1), MAX)).rejects.toThrow(/ends after/);
  });

  it("rejects a declared length above the limit before it allocates memory", () => {
    const bomb = hex("ffffff7f 00");
    const before = process.memoryUsage().arrayBuffers;

    for (let n = 0; n < 1000; n++) {
      expect(() => decodeSnappy(bomb, MAX)).toThrow(/declares 268435455 bytes, expected at most/);
    }

    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 24);
  });

  it("survives random input", () => {
    const random = createRandom(11);
    let read = 0;
    for (let n = 0; n < 20_000; n++) {
      const input = encodeSnappy(repetitive(Math.floor(random() * 200), random));
      const at = Math.floor(random() * input.length);
      input[at] = Math.floor(random() * 256);
      try {
        decodeSnappy(input, 1000);
        read += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidSnappy);
      }
    }
    expect(read).toBeGreaterThan(0);
  });
});
