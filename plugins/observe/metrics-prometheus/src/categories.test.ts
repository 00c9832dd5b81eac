import { expect, it } from "vitest";
import { CATEGORIES, readCategories } from "./categories.js";

it("categories are case-insensitive, and unknown ones are skipped and named", () => {
  const unknown: string[] = [];

  const found = readCategories(["jvm", "NOPE", "Rpc"], (name) => unknown.push(name));

  expect(found).toEqual(["JVM", "RPC"]);
  expect(unknown).toEqual(["NOPE"]);
  expect(readCategories([], () => {})).toEqual(CATEGORIES);
});
