import { createGate } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { OneAhead } from "./one-ahead.js";

describe("work that overlaps with its predecessor", () => {
  it("starts at once, and the third waits for the first", async () => {
    const queue = new OneAhead();
    const gate = createGate();
    const begun: number[] = [];
    const work = (number: number) => async () => {
      begun.push(number);
      await gate.opened;
    };

    await queue.push(work(1));
    const second = queue.push(work(2));
    expect(begun).toEqual([1, 2]);
    gate.open();
    await second;
    await queue.drain();
  });

  it("fails the next one, or the end", async () => {
    const queue = new OneAhead();
    const fail = () => Promise.reject(new Error("no"));

    await queue.push(fail);
    await expect(queue.push(async () => {})).rejects.toThrow("no");
    await queue.push(fail);
    await expect(queue.drain()).rejects.toThrow("no");
    await queue.settle();
  });
});
