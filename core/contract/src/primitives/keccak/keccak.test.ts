import { describe, expect, it, vi } from "vitest";
import { loadCrypto } from "../crypto.js";
import { toHex } from "../hex.js";
import { keccak256, keccakHash } from "./keccak.js";

const EMPTY = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";

describe("keccak", () => {
  it("reports what to do while the cryptography is not loaded", async () => {
    vi.resetModules();
    const fresh = await import("./keccak.js");

    expect(() => fresh.keccak256(new Uint8Array())).toThrow("await loadCrypto() first");
    expect(() => fresh.keccakHash(new Uint8Array())).toThrow("await loadCrypto() first");
  });

  it("hashes synchronously once it is loaded", async () => {
    await loadCrypto();

    expect(toHex(keccak256(new Uint8Array()))).toBe(EMPTY);
    expect(keccakHash(new Uint8Array())).toBe(EMPTY);
  });
});
