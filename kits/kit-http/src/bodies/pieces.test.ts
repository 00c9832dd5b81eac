import { JsonPieces } from "@plinth/core/rpc";
import { describe, expect, it } from "vitest";
import { MAX_PIECE, piecesOf } from "./pieces.js";

describe("the chunks of a response", () => {
  it("are its parts in order, and those of its streams", async () => {
    const stream = (async function* () {
      yield "b";
      yield Buffer.from("c");
    })();

    expect(await collect(piecesOf(["a", stream, "d"]))).toEqual(["a", "b", Buffer.from("c"), "d"]);
  });

  it.each([
    ["text", "x".repeat(MAX_PIECE * 2 + 1)],
    ["bytes", Buffer.alloc(MAX_PIECE * 2 + 1, "x")],
  ])("are small, however large a part of %s is", async (_, part) => {
    const pieces = await collect(piecesOf([part]));

    expect(pieces.map(({ length }) => length)).toEqual([MAX_PIECE, MAX_PIECE, 1]);
  });

  it("are copies where their memory is used again", async () => {
    const reused = new JsonPieces(4, function* () {
      const memory = Buffer.from("ab");
      yield memory;
      yield memory.fill("c");
    });

    const pieces = await collect(piecesOf(["[", reused, "]"]));

    const texts = pieces.map((piece) => Buffer.from(piece).toString());
    expect(texts).toEqual(["[", "ab", "cc", "]"]);
  });

  it("do not split characters", async () => {
    const text = `x${"\u{1f600}".repeat(MAX_PIECE)}`;

    const pieces = await collect(piecesOf([text]));

    expect(Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString()).toBe(text);
  });
});

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of all) items.push(item);
  return items;
}
