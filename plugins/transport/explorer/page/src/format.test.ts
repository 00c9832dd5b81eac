import { expect, it } from "vitest";
import { formatBytes, formatDuration, formatEther, formatUnits, toBig } from "./format.js";

it.each([
  [0n, 18, "0"],
  [1n, 18, "0.000000000000000001"],
  [1_500_000_000_000_000_000n, 18, "1.5"],
  [-25n, 1, "-2.5"],
  [1_234_567n, 0, "1,234,567"],
])("%s with %s decimals is %s", (value, decimals, text) => {
  expect(formatUnits(value, decimals)).toBe(text);
});

it("quantities that are none count as zero", () => {
  expect([toBig("0x1f"), toBig("31"), toBig(31), toBig("0x"), toBig("<b>"), toBig(null)]).toEqual([
    31n,
    31n,
    31n,
    0n,
    0n,
    0n,
  ]);
});

it("amounts, times and sizes have units", () => {
  expect(formatEther("0xde0b6b3a7640000")).toBe("1 ether");
  expect([0.5, 59, 600, 7300, 200_000].map(formatDuration)).toEqual([
    "0.5 s",
    "59 s",
    "10 min",
    "2 h",
    "2 d",
  ]);
  expect([0, 999, 1500, 2_000_000_000].map(formatBytes)).toEqual([
    "0 B",
    "999 B",
    "1.5 kB",
    "2.0 GB",
  ]);
});
