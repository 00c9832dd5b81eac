import { describe, expect, it } from "vitest";
import {
  ConfigError,
  InvariantError,
  messageOf,
  PlinthError,
  PluginError,
  readableError,
  StorageError,
} from "./errors.js";

describe("PlinthError", () => {
  it("has a code for programs, a message for people and details", () => {
    const error = new PlinthError("TOO_DEEP", { message: "too deep", depth: 5 });

    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ code: "TOO_DEEP", message: "too deep", details: { depth: 5 } });
  });

  it("keeps its cause, if one is given", () => {
    const cause = new Error("disk");

    expect(new PlinthError("FAILED", { message: "failed", cause }).cause).toBe(cause);
    expect("cause" in new PlinthError("FAILED", { message: "failed" })).toBe(false);
  });

  it.each([
    [new ConfigError("X", { message: "x" }), "ConfigError"],
    [new PluginError("X", { message: "x", plugin: "audit" }), "PluginError"],
    [new StorageError("X", { message: "x" }), "StorageError"],
    [new InvariantError("x"), "InvariantError"],
  ])("is the base of all others, each with its own name", (error, name) => {
    expect(error).toBeInstanceOf(PlinthError);
    expect(error.name).toBe(name);
    expect(error.stack).toContain("errors.test.ts");
  });
});

describe("PluginError", () => {
  it("names the plugin", () => {
    const error = new PluginError("PLUGIN_FAILED", {
      message: "x",
      plugin: "audit",
      phase: "setup",
    });

    expect(error.plugin).toBe("audit");
    expect(error.details).toEqual({ plugin: "audit", phase: "setup" });
  });
});

describe("InvariantError", () => {
  it("has one code for all bugs", () => {
    expect(new InvariantError("impossible")).toMatchObject({
      code: "INVARIANT_BROKEN",
      message: "impossible",
    });
  });
});

describe("messageOf", () => {
  it.each([
    ["an error", new Error("broken"), "broken"],
    ["a text", "broken", "broken"],
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["a number", 5, "5"],
  ])("produces a message for %s", (_, thrown, message) => {
    expect(messageOf(thrown)).toBe(message);
  });
});

describe("a value that throws when it is read", () => {
  const spring = () => {
    throw new Error("sprung");
  };

  it.each<[string, unknown]>([
    ["a proxy", new Proxy({}, { get: spring, getPrototypeOf: spring })],
    ["an error", Object.defineProperty(new Error(), "message", { get: spring })],
    ["an object", { toString: spring }],
  ])("has a message and is replaced by another error: %s", (_, thrown) => {
    expect(messageOf(thrown)).toBe("an error that cannot be read");
    expect(readableError(thrown)).toMatchObject({ message: "an error that cannot be read" });
  });
});
