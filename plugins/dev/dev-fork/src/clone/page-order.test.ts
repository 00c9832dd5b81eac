import type { Hash } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { PageOrder } from "./page-order.js";

const key = (number: number): Hash => `0x${number.toString(16).padStart(64, "0")}`;
const open = () => new PageOrder("http://node", "slots");

describe("pages of a list", () => {
  it("end without a next key, or with zero", () => {
    expect(open().next(key(0), { next: undefined, added: 0 })).toBeUndefined();
    expect(open().next(key(0), { next: key(0), added: 9 })).toBeUndefined();
  });

  it("continue after the one before", () => {
    expect(open().next(key(4), { next: key(5), added: 1 })).toBe(key(5));
    expect(() => open().next(key(4), { next: key(4), added: 1 })).toThrow(
      `http://node: after the slots from ${key(4)} come those from ${key(4)}`,
    );
  });

  it("are not read on and on if they have nothing new", () => {
    const order = open();
    const read = (count: number) => {
      for (let at = 0; at < count; at++) order.next(key(at), { next: key(at + 1), added: 0 });
    };

    read(100);
    order.next(key(1), { next: key(2), added: 1 });
    read(100);

    expect(() => read(1)).toThrow("its pages of slots up to");
  });
});
