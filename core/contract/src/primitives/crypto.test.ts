import { describe, expect, it } from "vitest";
import { loadCrypto } from "./crypto.js";
import { parseHex, toHex } from "./hex.js";

describe("crypto", () => {
  it("is loaded once", () => {
    expect(loadCrypto()).toBe(loadCrypto());
  });

  it.each([
    ["", "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"],
    ["hello", "0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8"],
  ])('hashes "%s"', async (text, hash) => {
    const { keccak256 } = await loadCrypto();

    expect(toHex(keccak256(new TextEncoder().encode(text)))).toBe(hash);
  });

  it("returns every hash in its own memory", async () => {
    const { keccak256 } = await loadCrypto();

    const first = keccak256(Uint8Array.of(1));
    const copy = first.slice();
    keccak256(Uint8Array.of(2));

    expect(first).toEqual(copy);
  });

  it("derives the address of a key", async () => {
    const crypto = await loadCrypto();
    const privateKey = bytes("0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63");

    const address = crypto.addressOf(crypto.publicKeyOf(privateKey));

    expect(address).toBe("0xfe3b557e8fb62b89f4916b721be55ceb828dbd73");
  });

  it("rejects a public key that still has its format byte", async () => {
    const { addressOf } = await loadCrypto();

    expect(() => addressOf(new Uint8Array(65))).toThrow(RangeError);
  });
});

function bytes(hex: string): Uint8Array {
  return parseHex(hex) ?? expect.fail(`not hex: ${hex}`);
}
