import { describe, expect, it } from "vitest";
import { findDifference } from "./difference.js";

const state = (number: number, root = "a", transactions = 1) => ({
  number: String(number),
  root: `0x${root.repeat(64)}`,
  transactions,
});

describe("the first difference of two members", () => {
  it("is none if both report the same", () => {
    expect(findDifference([], [])).toBeUndefined();
    expect(findDifference([state(1), state(9)], [state(1), state(9)])).toBeUndefined();
  });

  it("is a block that one of them lacks, whichever it is", () => {
    const [short, long] = [
      [state(1), state(9)],
      [state(1), state(5), state(9, "b")],
    ];

    expect(findDifference(short, long)).toEqual({ number: 5n, own: undefined, theirs: state(5) });
    expect(findDifference(long, short)).toEqual({ number: 5n, own: state(5), theirs: undefined });
    expect(findDifference([], [state(3)])).toEqual({
      number: 3n,
      own: undefined,
      theirs: state(3),
    });
  });

  it("is a block with a different effect, or with another number of transactions", () => {
    const [other, more] = [state(2, "b"), state(2, "a", 2)];

    expect(findDifference([state(2)], [other])).toEqual({
      number: 2n,
      own: state(2),
      theirs: other,
    });
    expect(findDifference([state(2)], [more])).toMatchObject({ number: 2n });
  });
});
