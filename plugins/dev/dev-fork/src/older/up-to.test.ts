import { expect, it } from "vitest";
import { isUpTo } from "./up-to.js";

it.each<[unknown, boolean]>([
  ["0x0", true],
  ["0x10", true],
  ["0x11", false],
  [`0x${"0".repeat(64)}`, false],
  ["16", false],
  [16, false],
  ["abc", false],
  ["", false],
  [null, false],
  [{}, false],
])("takes %j as the number of a block of both networks: %s", (number, expected) => {
  expect(isUpTo({ last: 16n }, number)).toBe(expected);
});
