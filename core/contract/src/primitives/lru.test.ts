import { describe, expect, it } from "vitest";
import { type LruLimits, LruMap } from "./lru.js";

function aMap(limits: Partial<LruLimits<string, number>> = {}) {
  return new LruMap<string, number>({ max: 3, ...limits });
}

describe("a map that evicts its oldest entries", () => {
  it("evicts the least recently used, with get and set", () => {
    const map = aMap();
    for (const key of ["a", "b", "c"]) map.set(key, 1);

    map.get("a");
    map.set("b", 2);
    map.set("d", 1);

    expect([...map]).toEqual([
      ["a", 1],
      ["b", 2],
      ["d", 1],
    ]);
  });

  it("evicts the first added, with peek and add", () => {
    const map = aMap();
    for (const key of ["a", "b", "c"]) map.add(key, 1);

    expect(map.peek("a")).toBe(1);
    map.add("a", 2);
    expect(map.peek("a")).toBe(1);
    map.add("d", 1);

    expect([...map].map(([key]) => key)).toEqual(["b", "c", "d"]);
  });

  it("sums the sizes of entries, and evicts as many as necessary", () => {
    const map = aMap({ max: 10, sizeOf: (value) => value });
    for (const [key, size] of [
      ["a", 3],
      ["b", 3],
      ["c", 4],
    ] as const) {
      map.set(key, size);
    }

    map.set("d", 5);

    expect([...map]).toEqual([
      ["c", 4],
      ["d", 5],
    ]);
    expect(map.total).toBe(9);
  });

  it("does not store an entry larger than the limit", () => {
    const map = aMap({ max: 10, sizeOf: (value) => value });
    map.set("a", 11);

    expect([map.size, map.total]).toEqual([0, 0]);
  });

  it("reports evicted entries only", () => {
    const evicted: string[] = [];
    const map = aMap({ max: 2, evicted: (value, key) => evicted.push(`${key} ${value}`) });
    map.set("a", 1);
    map.set("a", 2);
    map.set("b", 1);
    map.set("c", 1);
    map.delete("b");
    map.clear();

    expect(evicted).toEqual(["a 2"]);
  });

  it.each(["entries", "bytes"])("behaves like a list that is searched, limited by %s", (unit) => {
    const random = createRandom(unit.length);
    const sizeOf = (value: number) => (unit === "bytes" ? value % 7 : 1);
    const evicted: string[] = [];
    const expectedEvicted: string[] = [];
    const map = new LruMap<string, number>({
      max: 12,
      sizeOf,
      evicted: (_, key) => evicted.push(key),
    });
    let list: { readonly key: string; readonly value: number }[] = [];
    const find = (key: string) => list.find((entry) => entry.key === key);
    const without = (key: string) => list.filter((entry) => entry.key !== key);
    const total = () => list.reduce((sum, { value }) => sum + sizeOf(value), 0);
    const put = (key: string, value: number) => {
      list = [...without(key), { key, value }];
      while (total() > 12) expectedEvicted.push(list.shift()?.key ?? "none");
    };

    for (let step = 0; step < 5_000; step++) {
      const key = `k${random(20)}`;
      const value = random(100);
      const known = find(key);
      switch (random(6)) {
        case 0:
          expect(map.get(key)).toBe(known?.value);
          if (known !== undefined) list = [...without(key), known];
          break;
        case 1:
          expect(map.peek(key)).toBe(known?.value);
          break;
        case 2:
          map.set(key, value);
          put(key, value);
          break;
        case 3:
          map.add(key, value);
          if (known === undefined) put(key, value);
          break;
        case 4:
          expect(map.delete(key)).toBe(known !== undefined);
          list = without(key);
          break;
        default:
          expect(map.has(key)).toBe(known !== undefined);
          if (random(100) === 0) {
            map.clear();
            list = [];
          }
      }
      const held = { size: map.size, total: map.total, values: [...map.values()] };
      expect(held).toEqual({
        size: list.length,
        total: total(),
        values: list.map((entry) => entry.value),
      });
    }
    expect(evicted).toEqual(expectedEvicted);
    expect(evicted.length).toBeGreaterThan(100);
  });
});

/** Deterministic numbers for a seed. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
