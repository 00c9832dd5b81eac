/// <reference path="./keccak-wasm.d.ts" />
import { randomBytes } from "node:crypto";
import hashWasm from "hash-wasm/dist/keccak.umd.min.js";
import { describe, expect, it } from "vitest";
import { INPUT_BLOCKS, RATE } from "./keccak-module.js";
import { KeccakSponge } from "./keccak-sponge.js";

/** The judge, of other authors. */
const other = await hashWasm.createKeccak(256);
const sponge = new KeccakSponge();
const expected = (bytes: Uint8Array) => other.init().update(bytes).digest("binary");

describe("Keccak-256", () => {
  it("is that of hash-wasm for every length up to four blocks", () => {
    for (let length = 0; length <= 4 * RATE + 1; length++) {
      const bytes = randomBytes(length);
      expect(sponge.hash(bytes)).toEqual(expected(bytes));
    }
  });

  it.each([-1, 0, 1, RATE, INPUT_BLOCKS * RATE])(
    "is that of hash-wasm for as much input as the memory has space for, and %d bytes",
    (more) => {
      const bytes = randomBytes(INPUT_BLOCKS * RATE + more);
      expect(sponge.hash(bytes)).toEqual(expected(bytes));
    },
  );

  it("does not change its input, also at the edges of larger memory", () => {
    const memory = randomBytes(300);
    const copy = Uint8Array.from(memory);

    const hash = sponge.hash(memory.subarray(150, 300));

    expect(hash).toEqual(expected(copy.subarray(150, 300)));
    expect(Uint8Array.from(memory)).toEqual(copy);
  });

  it("is that of shared memory, and of a part of it", () => {
    const memory = new Uint8Array(new SharedArrayBuffer(RATE * 3)).fill(7);

    expect(sponge.hash(memory)).toEqual(expected(Uint8Array.from(memory)));
    expect(sponge.hash(memory.subarray(1, 200))).toEqual(expected(memory.slice(1, 200)));
  });

  it("of memory that was transferred is an error, and the next one is right", () => {
    const memory = new Uint8Array(RATE * 2);
    structuredClone(memory, { transfer: [memory.buffer] });

    expect(() => sponge.hash(memory)).toThrow(TypeError);
    expect(sponge.hash(Uint8Array.of(1))).toEqual(expected(Uint8Array.of(1)));
  });

  it("is written into memory of the caller", () => {
    const target = new Uint8Array(40);
    sponge.hashInto(Uint8Array.of(1, 2, 3), target);

    expect(target.subarray(0, 32)).toEqual(expected(Uint8Array.of(1, 2, 3)));
    expect(target.subarray(32)).toEqual(new Uint8Array(8));
  });
});
