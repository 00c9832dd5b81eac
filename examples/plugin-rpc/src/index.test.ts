import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import greeting from "./index.js";

describe("greeting_say", () => {
  it("greets the world by default", async () => {
    await using node = await createTestNode({ plugins: [greeting] });

    expect(await node.rpc("greeting_say")).toBe("Hello, world!");
    expect(await node.rpc("greeting_say", ["Ada"])).toBe("Hello, Ada!");
  });

  it("uses the operator's word", async () => {
    await using node = await createTestNode({
      plugins: [greeting],
      options: { greetingWord: "Salut" },
    });

    expect(await node.rpc("greeting_say", ["Ada"])).toBe("Salut, Ada!");
  });

  it("rejects a name that is not a string", async () => {
    await using node = await createTestNode({ plugins: [greeting] });

    await expect(node.rpc("greeting_say", [7])).rejects.toMatchObject({ code: -32602 });
  });

  it("is gone once the plugin is disabled", async () => {
    await using node = await createTestNode({ plugins: [greeting] });

    await node.disable("rpc-greeting");

    await expect(node.rpc("greeting_say")).rejects.toMatchObject({ code: -32601 });
  });
});
