import { describe, expect, it } from "vitest";
import { FilterTable } from "./filter-table.js";

const filter = { takeChanges: () => [] };

function setUp(limits = { perClient: 3, total: 5 }) {
  let evicted = 0;
  const table = new FilterTable(limits, () => {
    evicted += 1;
  });
  const add = (id: string, client = "a", cost = 1) => table.add({ id, filter, cost, client }, 0);
  const known = (...ids: readonly string[]) =>
    ids.filter((id) => table.find(id, 0) !== undefined).join("");
  return { table, add, known, evicted: () => evicted };
}

describe("the filters of a client", () => {
  it("are evicted above its share, starting with those never polled", () => {
    const { table, add, known, evicted } = setUp();
    for (const id of ["1", "2", "3"]) add(id);
    table.find("1", 0);

    add("4");

    expect([known("1", "2", "3", "4"), evicted()]).toEqual(["134", 1]);
  });

  it("are evicted by last use if all were polled", () => {
    const { table, add, known } = setUp();
    for (const id of ["1", "2", "3"]) add(id);
    for (const id of ["1", "2", "3", "1"]) table.find(id, 0);

    add("4");

    expect(known("1", "2", "3", "4")).toBe("134");
  });

  it("are charged by their number of values", () => {
    const { add, known } = setUp();
    add("1");
    add("2");

    add("3", "a", 3);

    expect(known("1", "2", "3")).toBe("3");
  });

  it("do not displace those of others", () => {
    const { add, known } = setUp();
    add("1", "b");

    for (let id = 10; id < 100; id++) add(String(id));

    expect(known("1")).toBe("1");
  });
});

describe("the filters of all clients", () => {
  it("are evicted from the client with the most", () => {
    const { table, add, known } = setUp();
    for (const id of ["1", "2", "3"]) add(id, "a");
    for (const id of ["4", "5"]) add(id, "b");

    add("6", "c");

    expect(known("1", "2", "3", "4", "5", "6")).toBe("23456");
    expect(table.size).toBe(5);
  });

  it("are removed after a time without use", () => {
    const { table, add, known } = setUp();
    add("1");
    add("2");
    table.find("2", 20);

    table.removeUnusedSince(10);

    expect([table.size, known("1", "2")]).toEqual([1, "2"]);
  });

  it("can be removed, each once", () => {
    const { table, add } = setUp();
    add("1");

    expect([table.remove("1"), table.remove("1"), table.size]).toEqual([true, false, 0]);
  });
});
