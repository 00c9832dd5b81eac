import { keccak256, loadCrypto } from "@plinth/core";
import { beforeAll, describe, expect, it } from "vitest";
import { wordOfBytes } from "./arithmetic/words.js";
import { loadLongKeccak } from "./long-keccak.js";
import { hashPair, hashToWord } from "./word-hashes.js";

beforeAll(loadCrypto);

it.each([0, 1, 31, 32, 135, 136, 1000, 2 ** 20 + 1])(
  "hashes %d bytes to a word",
  async (length) => {
    await loadLongKeccak();
    const bytes = new Uint8Array(length).fill(7);

    expect(hashToWord(bytes, () => {})).toBe(wordOfBytes(keccak256(bytes)));
  },
);

describe("the hash of 64 bytes", () => {
  it("is that of Keccak-256, however often and at whatever place it was asked for", () => {
    const memory = new Uint8Array(256);
    for (let count = 0; count < 20_000; count++) {
      const at = count % 100;
      // A third of them repeats.
      new DataView(memory.buffer).setUint32(at, count % 3 === 0 ? 0 : count);
      const pair = memory.subarray(at, at + 64);

      const hash = hashPair(new DataView(memory.buffer), at);

      if (hash !== wordOfBytes(keccak256(pair))) expect({ count, hash }).toBe("the hash");
    }
  });
});
