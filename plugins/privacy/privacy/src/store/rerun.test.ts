import { expect, it } from "vitest";
import { decodeRerun, encodeRerun, isRunAgain, withGroups } from "./rerun.js";

const [A, B] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array];
const UNTIL = { number: 100n, hash: `0x${"ab".repeat(32)}` } as const;

it("a group is re-executed from its block on, up to the last one that was searched before", () => {
  const rerun = withGroups({ until: UNTIL, isOfAll: false, groups: [] }, [A], 7n);

  expect(isRunAgain(rerun, A, 6n)).toBe(false);
  expect(isRunAgain(rerun, A, 7n)).toBe(true);
  expect(isRunAgain(rerun, A, 101n)).toBe(false);
  expect(isRunAgain(rerun, B, 50n)).toBe(false);
  expect(isRunAgain({ ...rerun, isOfAll: true }, B, 50n)).toBe(true);
});

it("a group that is named again is re-executed from the earlier of both blocks", () => {
  const none = { until: UNTIL, isOfAll: false, groups: [] };

  for (const [first, second] of [
    [7n, 50n],
    [50n, 7n],
  ] as const) {
    const rerun = withGroups(withGroups(none, [A, B], first), [A], second);

    expect(rerun.groups).toHaveLength(2);
    expect(isRunAgain(rerun, A, 7n)).toBe(true);
  }
});

it("round-trips", () => {
  const rerun = withGroups({ until: UNTIL, isOfAll: true, groups: [] }, [A, B], 0n);

  expect(decodeRerun(encodeRerun(rerun))).toEqual(rerun);
});
