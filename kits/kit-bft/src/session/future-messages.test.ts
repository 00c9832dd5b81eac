import { expect, it } from "vitest";
import { FutureMessages } from "./future-messages.js";

const at = (height: bigint, name = "") => ({ height, name, size: 1 });

it("stores messages of future heights, in order, until they are taken", () => {
  const future = new FutureMessages({ count: 10, distance: 5, bytes: 100 });
  future.add(at(7n, "a"), 5n);
  future.add(at(6n, "b"), 5n);
  future.add(at(7n, "c"), 5n);

  expect(future.take(6n)).toEqual([at(6n, "b")]);
  expect(future.take(7n)).toEqual([at(7n, "a"), at(7n, "c")]);
  expect(future.count).toBe(0);
});

it("stores none of heights too far ahead", () => {
  const future = new FutureMessages({ count: 10, distance: 5, bytes: 100 });
  future.add(at(11n), 5n);

  expect(future.count).toBe(0);
});

it("evicts the furthest height when there are too many, and within one height the oldest", () => {
  const future = new FutureMessages({ count: 2, distance: 5, bytes: 100 });
  future.add(at(6n, "a"), 5n);
  future.add(at(7n, "b"), 5n);
  future.add(at(6n, "c"), 5n);
  expect(future.count).toBe(2);
  future.add(at(6n, "d"), 5n);

  expect(future.take(6n)).toEqual([at(6n, "c"), at(6n, "d")]);
});

it("stores nothing if the limit is zero", () => {
  const future = new FutureMessages({ count: 0, distance: 5, bytes: 100 });
  future.add(at(6n), 5n);

  expect(future.count).toBe(0);
});

it("evicts messages with too many bytes, however few they are", () => {
  const future = new FutureMessages({ count: 10, distance: 5, bytes: 100 });
  future.add({ ...at(6n, "a"), size: 60 }, 5n);
  future.add({ ...at(7n, "b"), size: 60 }, 5n);
  expect(future.count).toBe(1);
  future.add({ ...at(6n, "c"), size: 101 }, 5n);

  expect(future.count).toBe(0);
});
