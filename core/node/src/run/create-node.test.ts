import { definePlugin, defineService, option } from "@plinth/core";
import { describe, expect, it } from "vitest";
import { createNode } from "./create-node.js";

const summary = "What it is for.";

describe("createNode", () => {
  it("runs setup with the options of the program, and defaults for the rest", async () => {
    let config: unknown;
    const audit = definePlugin({
      name: "audit",
      options: {
        auditPort: option.port({ summary, default: 9000 }),
        auditHost: option.host({ summary, default: "localhost" }),
        auditFile: option.path({ summary }),
      },
      setup(node) {
        config = node.config;
      },
    });

    await createNode({ plugins: [audit], options: { auditPort: 1, auditFile: undefined } });

    expect(config).toEqual({ auditPort: 1, auditHost: "localhost", auditFile: undefined });
  });

  it("shows a plugin only its own options", async () => {
    let config: unknown;
    const audit = definePlugin({
      name: "audit",
      setup(node) {
        config = node.config;
      },
    });

    await createNode({ plugins: [audit], options: { dataPath: "/data" } });

    expect(config).toEqual({});
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    [
      "a string for a number",
      { auditPort: "http" },
      "OPTION_INVALID",
      "Invalid value for option '--audit-port' (from createNode): 'http' is not an int",
    ],
    [
      "a list for a number",
      { auditPort: [1] },
      "OPTION_INVALID",
      "Invalid value for option '--audit-port' (from createNode): expected a number but was a list",
    ],
    [
      "a number for a path of the core",
      { dataPath: 5 },
      "OPTION_INVALID",
      "Invalid value for option '--data-path' (from createNode): expected text but was 5",
    ],
    [
      "an undeclared option",
      { auditPrt: 1 },
      "OPTION_UNKNOWN",
      "Unknown option in the options of createNode: audit-prt",
    ],
  ])("rejects %s before any setup runs", async (_, options, code, message) => {
    const ran: string[] = [];
    const audit = definePlugin({
      name: "audit",
      options: { auditPort: option.port({ summary }) },
      setup: () => void ran.push("audit"),
    });

    await expect(createNode({ plugins: [audit], options })).rejects.toMatchObject({
      code,
      message,
    });
    expect(ran).toEqual([]);
  });

  it("rejects incompatible plugins before any setup runs", async () => {
    const ran: string[] = [];
    const Missing = defineService<object>("other.thing");
    const fine = definePlugin({ name: "fine", setup: () => void ran.push("fine") });
    const needy = definePlugin({
      name: "needy",
      dependencies: { missing: Missing },
      setup: () => void ran.push("needy"),
    });

    await expect(createNode({ plugins: [fine, needy] })).rejects.toMatchObject({
      code: "SERVICE_MISSING",
    });
    await expect(createNode({ plugins: [fine, fine] })).rejects.toMatchObject({
      code: "PLUGIN_DUPLICATE",
    });
    expect(ran).toEqual([]);
  });

  it("rejects two plugins that declare the same option", async () => {
    const declare = (name: string) =>
      definePlugin({ name, options: { port: option.port({ summary }) }, setup: () => {} });

    await expect(createNode({ plugins: [declare("a"), declare("b")] })).rejects.toMatchObject({
      code: "OPTION_CONFLICT",
      message: "a and b both declare the option --port; remove one of them",
    });
  });

  it("rejects a plugin that declares an option of the core", async () => {
    const greedy = definePlugin({
      name: "greedy",
      options: { dataPath: option.path({ summary }) },
      setup: () => {},
    });

    await expect(createNode({ plugins: [greedy] })).rejects.toMatchObject({
      code: "OPTION_CONFLICT",
    });
  });

  it.each<[string, unknown, string]>([
    ["a value that is not a plugin", { name: "audit", setup: () => {} }, "PLUGIN_INVALID"],
    ["nothing instead of a plugin", undefined, "PLUGIN_INVALID"],
    [
      "a plugin of another version of the contract",
      { name: "audit", setup: () => {}, [Symbol.for("plinth.plugin")]: 0 },
      "PLUGIN_API_MISMATCH",
    ],
  ])("refuses %s", async (_, plugin, code) => {
    await expect(createNode({ plugins: [plugin as never] })).rejects.toMatchObject({ code });
  });

  it("opens nothing: a node without a network can be created", async () => {
    await expect(createNode({ plugins: [] })).resolves.toMatchObject({ nodeKey: undefined });
  });
});
