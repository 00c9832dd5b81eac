import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Heap } from "./heap.js";

interface Item {
  readonly rank: number;
}

const aHeap = () => new Heap<Item>((a, b) => a.rank < b.rank);

describe("a heap", () => {
  it("returns undefined when it is empty", () => {
    expect(aHeap().pop()).toBeUndefined();
  });

  it("returns the first item, whatever was added and removed", () => {
    const steps = fc.array(fc.option(fc.integer({ min: 0, max: 20 })), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (list) => {
        const heap = aHeap();
        const ranks: number[] = [];
        for (const rank of list) {
          if (rank === null) {
            expect(heap.pop()?.rank).toBe(ranks.sort((a, b) => a - b).shift());
          } else {
            heap.push({ rank });
            ranks.push(rank);
          }
        }
        for (const rank of ranks.sort((a, b) => a - b)) expect(heap.pop()).toEqual({ rank });
        expect(heap.pop()).toBeUndefined();
      }),
    );
  });
});
