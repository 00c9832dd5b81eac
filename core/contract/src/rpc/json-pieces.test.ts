import { describe, expect, it } from "vitest";
import { JsonPieces } from "./json-pieces.js";

/** Writes every piece to the same memory. */
const pieces = new JsonPieces(6, function* () {
  const memory = Buffer.alloc(4);
  memory.write("[1,2");
  yield memory;
  memory.write("3]");
  yield memory.subarray(0, 2);
});

describe("JSON in pieces", () => {
  it("is joined", () => {
    expect(Buffer.from(pieces.join()).toString()).toBe("[1,23]");
  });

  it("is written again for each iteration", () => {
    expect(pieces.join()).toEqual(pieces.join());
  });

  it("is copied by asynchronous iteration", async () => {
    const copies: Uint8Array[] = [];
    for await (const copy of pieces) copies.push(copy);

    expect(Buffer.concat(copies).toString()).toBe("[1,23]");
  });
});
