import { describe, expect, it } from "vitest";
import { compareRows } from "./compare-rows.js";

const EVENT = ["1", "0", "\\xaa", "\\xbb", "Token", "Sent", "Sent(uint256)"];

describe("rows that are compared", () => {
  it("are equal in any order, and with any form of JSON", () => {
    const found = [
      [...EVENT, '{"b": "2", "a": "1"}'],
      ["0", ...EVENT.slice(1), "{}"],
    ];
    const expected = [
      ["0", ...EVENT.slice(1), "{}"],
      [...EVENT, '{"a":"1","b":"2"}'],
    ];

    expect([...compareRows("events", { found, expected })]).toEqual([]);
  });

  it("may lack an address that was not known yet", () => {
    const [found, expected] = [null, "\\xcc"].map((address) => [
      ["7", "\\xaa", address, "1", "100"],
    ]);

    expect([...compareRows("balances", { found: found ?? [], expected: expected ?? [] })]).toEqual(
      [],
    );
  });

  it("are named if they differ, are missing, or should not be there", () => {
    const found = [
      [...EVENT, '{"a": "1"}'],
      ["3", ...EVENT.slice(1), "{}"],
    ];
    const expected = [
      [...EVENT.slice(0, 5), "Sold", "Sent(uint256)", '{"a": "2"}'],
      ["2", ...EVENT.slice(1), "{}"],
    ];

    expect([...compareRows("events", { found, expected })]).toEqual([
      { table: "events", key: "1, 0", problem: "name is Sent, and should be Sold" },
      {
        table: "events",
        key: "1, 0",
        problem: 'arguments is {"a": "1"}, and should be {"a": "2"}',
      },
      { table: "events", key: "2, 0", problem: "is missing" },
      { table: "events", key: "3, 0", problem: "should not be there" },
    ]);
  });
});
