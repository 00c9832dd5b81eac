import { describe, expect, it } from "vitest";
import { toHex } from "../hex.js";
import { loadKeccak512 } from "./keccak512.js";

describe("Keccak-512", () => {
  it("hashes empty input to the published value", async () => {
    const keccak512 = await loadKeccak512();

    expect(toHex(keccak512(new Uint8Array()))).toBe(
      "0x0eab42de4c3ceb9235fc91acffe746b29c29a8c366b7c60e4e67c466f36a4304c00fa9caf9d87976ba469bcbe06713b435f091ef2769fb160cdab33d3670680e",
    );
  });
});
