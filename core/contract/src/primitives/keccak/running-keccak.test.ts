import { describe, expect, it } from "vitest";
import { loadCrypto } from "../crypto.js";
import { loadRunningKeccak } from "./running-keccak.js";

const { keccak256 } = await loadCrypto();
const begin = await loadRunningKeccak();
const bytes = (length: number) => Uint8Array.from({ length }, (_, n) => n % 251);

describe("a running hash", () => {
  it.each([0, 1, 135, 136, 137, 1000])("over %d bytes equals their hash", (length) => {
    const hash = begin();
    for (const byte of bytes(length)) hash.update(Uint8Array.of(byte));

    expect(hash.digest()).toEqual(keccak256(bytes(length)));
  });

  it("is the same for parts of random lengths", () => {
    for (let round = 0; round < 200; round++) {
      const whole = bytes(Math.floor(Math.random() * 1500));
      const hash = begin();
      for (let at = 0; at < whole.length; ) {
        const end = at + Math.floor(Math.random() * 400);
        hash.update(whole.subarray(at, end));
        at = end;
      }
      expect(hash.digest()).toEqual(keccak256(whole));
    }
  });

  it("continues after its digest was read, and shares nothing with others", () => {
    const [one, other] = [begin(), begin()];

    one.update(bytes(10));
    other.update(bytes(20));
    expect(one.digest()).toEqual(keccak256(bytes(10)));
    one.update(bytes(20).slice(10));

    expect(one.digest()).toEqual(other.digest());
  });
});
