import { describe, expect, it } from "vitest";
import { Contributions, defineContributionPoint } from "./contributions.js";

const colors = defineContributionPoint<string>("paint.colors", { summary: "Colors." });
const shapes = defineContributionPoint<{ readonly name: string }>("paint.shapes", {
  summary: "Shapes, each of its own name.",
  key: { label: "shape", of: ({ name }) => name },
});

describe("contributions", () => {
  it("are listed with their plugin, in order of contribution", () => {
    const { contributions } = setUp();

    contributions.add(colors, "first", "red");
    contributions.add(colors, "second", "blue");
    contributions.add(colors, "first", "green");

    expect(contributions.list(colors)).toEqual(["red", "blue", "green"]);
    expect(contributions.entries(colors)).toEqual([
      { plugin: "first", item: "red" },
      { plugin: "second", item: "blue" },
      { plugin: "first", item: "green" },
    ]);
  });

  it("of an empty point are an empty list", () => {
    const { contributions } = setUp();

    expect(contributions.list(colors)).toEqual([]);
  });

  it("of one point do not appear at another", () => {
    const { contributions } = setUp();

    contributions.add(colors, "first", "red");

    expect(contributions.list(shapes)).toEqual([]);
  });

  it("find their point by its id, so that two copies of its owner share one list", () => {
    const { contributions } = setUp();
    const copy = defineContributionPoint<string>("paint.colors", { summary: "Colors." });

    contributions.add(copy, "first", "red");

    expect(contributions.list(colors)).toEqual(["red"]);
  });

  it("may be equal if the point has no key", () => {
    const { contributions } = setUp();

    contributions.add(colors, "first", "red");
    contributions.add(colors, "second", "red");

    expect(contributions.list(colors)).toEqual(["red", "red"]);
  });

  it("with one key from two plugins are rejected, naming both", () => {
    const { contributions } = setUp();
    contributions.add(shapes, "first", { name: "circle" });

    expect(() => contributions.add(shapes, "second", { name: "circle" })).toThrowError(
      expect.objectContaining({
        code: "CONTRIBUTION_CONFLICT",
        message: 'first and second both contribute the shape "circle"; keep one of them',
      }),
    );
    expect(contributions.list(shapes)).toHaveLength(1);
  });

  it("with one key from one plugin are rejected", () => {
    const { contributions } = setUp();
    contributions.add(shapes, "first", { name: "circle" });

    expect(() => contributions.add(shapes, "first", { name: "circle" })).toThrowError(
      expect.objectContaining({
        code: "CONTRIBUTION_CONFLICT",
        message: 'first contributes the shape "circle" twice',
      }),
    );
  });

  it("are rejected after sealing, naming the late plugin", () => {
    const { contributions } = setUp();
    contributions.add(colors, "first", "red");

    contributions.seal();

    expect(() => contributions.add(colors, "late", "blue")).toThrowError(
      expect.objectContaining({ code: "REGISTRY_SEALED", plugin: "late" }),
    );
    expect(contributions.list(colors)).toEqual(["red"]);
  });

  it("disappear with a removed plugin", () => {
    const { contributions, disabled } = setUp();
    contributions.add(colors, "first", "red");
    contributions.add(colors, "second", "blue");

    disabled.add("first");

    expect(contributions.list(colors)).toEqual(["blue"]);
    expect(contributions.entries(colors)).toEqual([{ plugin: "second", item: "blue" }]);
  });
});

function setUp() {
  const disabled = new Set<string>();
  return { disabled, contributions: new Contributions((plugin) => !disabled.has(plugin)) };
}
