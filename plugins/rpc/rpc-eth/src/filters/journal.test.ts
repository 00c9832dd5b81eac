import { describe, expect, it } from "vitest";
import { Journal } from "./journal.js";

describe("a journal", () => {
  it("returns to every reader the entries since its last read", () => {
    const journal = new Journal<number>(10);
    journal.add(1);
    const take = journal.follow();
    journal.add(2);
    const takeLater = journal.follow();
    journal.add(3);

    expect([take(), takeLater()]).toEqual([[2, 3], [3]]);
    journal.add(4);
    expect([take(), take(), takeLater()]).toEqual([[4], [], [4]]);
  });

  it("reports once that a reader has missed entries", () => {
    const journal = new Journal<number>(2);
    const take = journal.follow();
    for (const entry of [1, 2, 3, 4]) journal.add(entry);

    expect(take()).toBeUndefined();
    expect(take()).toEqual([]);
  });

  it("keeps at least its capacity", () => {
    const journal = new Journal<number>(3);
    for (let entry = 0; entry < 100; entry++) {
      const take = journal.follow();
      for (const later of [1, 2, 3]) journal.add(later);

      expect(take()).toEqual([1, 2, 3]);
    }
  });

  it("is empty after being cleared", () => {
    const journal = new Journal<number>(3);
    const take = journal.follow();
    journal.add(1);

    journal.clear();

    expect(take()).toBeUndefined();
    expect(journal.follow()()).toEqual([]);
  });
});
