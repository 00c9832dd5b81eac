import { definePlugin } from "@plinth/core";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcPlugins from "./index.js";

describe("reloading settings", () => {
  it("is done by the named plugin only", async () => {
    const read: string[] = [];
    const reading = (name: string) =>
      definePlugin({ name, setup: ({ onReload }) => onReload(() => void read.push(name)) });
    await using node = await createTestNode({
      plugins: [rpcPlugins, reading("first"), reading("second")],
    });

    expect(await node.rpc("plugins_reloadPluginConfig", ["second"])).toBe("Success");
    expect(await node.rpc("plugins_reloadPluginConfig", ["rpc-plugins"])).toBe("Success");

    expect(read).toEqual(["second"]);
  });

  it("returns the error of a failed reload", async () => {
    const broken = definePlugin({
      name: "broken",
      setup: ({ onReload }) =>
        onReload(() => {
          throw new Error("rules.toml: line 3 is not a rule");
        }),
    });
    await using node = await createTestNode({ plugins: [rpcPlugins, broken] });
    const reload = (...params: unknown[]) => node.rpc("plugins_reloadPluginConfig", params);

    await expect(reload("broken")).rejects.toMatchObject({
      code: -32000,
      message: "broken: rules.toml: line 3 is not a rule",
    });
    await expect(reload("unknown")).rejects.toMatchObject({
      code: -60000,
      message: "Plugin not found",
    });
    await expect(reload(5)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("Invalid plug in name params"),
    });
  });
});
