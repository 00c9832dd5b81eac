import { definePlugin } from "@plinth/core";
import { privacy } from "@plinth/plugin-privacy/api";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcEea from "./index.js";

/** A node without private transactions. */
const off = definePlugin({
  name: "privacy-off",
  provides: [privacy],
  setup: ({ services }) => services.provide(privacy, () => ({ node: undefined })),
});

describe("eea_sendRawTransaction", () => {
  it.each([
    ["is not text", [{}], -32602],
    ["is missing", [], -32602],
    ["is given, while privacy is off", ["0x"], -50100],
  ])("responds with an error if its transaction %s", async (_, params, code) => {
    await using node = await createTestNode({ plugins: [off, rpcEea] });

    await expect(node.rpc("eea_sendRawTransaction", params)).rejects.toMatchObject({ code });
  });
});
