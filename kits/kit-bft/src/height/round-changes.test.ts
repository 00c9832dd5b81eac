import type { Address } from "@plinth/core";
import { expect, it } from "vitest";
import type { RoundChange } from "../messages/messages.js";
import { RoundChanges } from "./round-changes.js";

const [A, B, C]: readonly [Address, Address, Address] = ["0xaa", "0xbb", "0xcc"];
const change = (author: Address, round: number) => ({ author, round }) as RoundChange;

it("stores the first of each author for a round", () => {
  const changes = new RoundChanges();
  const first = change(A, 1);

  expect([changes.add(first), changes.add(change(A, 1)), changes.add(change(B, 1))]).toEqual([
    true,
    false,
    true,
  ]);
  expect(changes.of(1).map(({ author }) => author)).toEqual([A, B]);
  expect(changes.of(1)[0]).toBe(first);
  expect(changes.of(2)).toEqual([]);
});

it("finds the highest round that this many have reached", () => {
  const changes = new RoundChanges();
  for (const each of [change(A, 5), change(B, 3), change(C, 1), change(B, 2)]) changes.add(each);

  expect([1, 2, 3, 4].map((count) => changes.reachedBy(count))).toEqual([5, 3, 1, undefined]);
});

it("keeps a bounded number of rounds of one author", () => {
  const changes = new RoundChanges();
  const kept = Array.from({ length: 100 }, (_, round) => changes.add(change(A, round + 1)));

  expect(kept.filter(Boolean)).toHaveLength(16);
});
