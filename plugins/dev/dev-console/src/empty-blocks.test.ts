import type { Block } from "@plinth/core";
import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { EmptyBlocks } from "./empty-blocks.js";

function start() {
  const clock = new FakeClock(0);
  const lines: string[] = [];
  const blocks = new EmptyBlocks(clock, (line) => lines.push(line));
  const add = (from: number, to = from) => {
    for (let number = from; number <= to; number++) {
      blocks.add({ header: { number: BigInt(number) } } as Block);
    }
  };
  return { clock, lines, blocks, add };
}

describe("empty blocks", () => {
  it("of a burst are one line, regardless of its duration", async () => {
    const { clock, lines, add } = start();

    add(1, 50_000);
    await clock.advance(900);
    add(50_001, 100_000);
    await clock.advance(1_000);
    expect(lines).toEqual([]);
    await clock.advance(1_000);

    expect(lines).toEqual(["#1 to #100000 · 100,000 empty blocks"]);
  });

  it("at intervals are one line per minute", async () => {
    const { clock, lines, add } = start();

    for (let number = 1; number <= 13; number++) {
      add(number);
      await clock.advance(10_000);
    }

    expect(lines).toEqual([
      "#1 · empty",
      "#2 to #7 · 6 empty blocks",
      "#8 to #13 · 6 empty blocks",
    ]);
  });

  it("are shown before a block with transactions, and at the end", () => {
    const { lines, blocks, add } = start();

    add(1, 2);
    blocks.interrupt();
    add(4);
    blocks.flush();

    expect(lines).toEqual(["#1 to #2 · 2 empty blocks", "#4 · empty"]);
  });

  it("of another branch are a separate line", () => {
    const { lines, blocks, add } = start();

    add(1, 3);
    add(2);
    blocks.flush();

    expect(lines).toEqual(["#1 to #3 · 3 empty blocks", "#2 · empty"]);
  });
});
