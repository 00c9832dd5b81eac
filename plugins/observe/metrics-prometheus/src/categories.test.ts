import { expect, it } from "vitest";
import { CATEGORIES, readCategories } from "./categories.js";

it("categories are read in any letter case, and unknown ones are left out and named", () => {
  const unknown: string[] = [];

  const found = readCategories(["jvm", "NOPE", "Rpc"], (name) => unknown.push(name));

  expect(found).toEqual(["JVM", "RPC"]);
  expect(unknown).toEqual(["NOPE"]);
  expect(readCategories([], () => {})).toEqual(CATEGORIES);
});
