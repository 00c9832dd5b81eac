import { keccak256, loadCrypto } from "@plinth/core";
import { beforeAll, describe, expect, it } from "vitest";
import { wordOfBytes } from "./arithmetic/words.js";
import { hashPair } from "./pair-hashes.js";

beforeAll(loadCrypto);

describe("the hash of 64 bytes", () => {
  it("is that of Keccak-256, however often and at whatever place it was asked for", () => {
    const memory = new Uint8Array(256);
    for (let count = 0; count < 20_000; count++) {
      const at = count % 100;
      // A third of them repeats.
      new DataView(memory.buffer).setUint32(at, count % 3 === 0 ? 0 : count);
      const pair = memory.subarray(at, at + 64);

      const hash = hashPair(pair);

      if (hash !== wordOfBytes(keccak256(pair))) expect({ count, hash }).toBe("the hash");
    }
  });
});
