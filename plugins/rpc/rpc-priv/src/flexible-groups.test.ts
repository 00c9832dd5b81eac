import { definePlugin } from "@plinth/core";
import { privacy } from "@plinth/plugin-privacy/api";
import { createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcPriv from "./index.js";

/** A node without private transactions. */
const off = definePlugin({
  name: "privacy-off",
  provides: [privacy],
  setup: ({ services }) => services.provide(privacy, () => ({ node: undefined })),
});

describe.each(["privx_findFlexiblePrivacyGroup", "privx_findOnchainPrivacyGroup"])("%s", (name) => {
  it.each([
    ["plinth", "Method not enabled: --privacy-flexible-groups-enabled is not set"],
    ["besu", "Method not enabled"],
  ])("exists but is not enabled, in mode %s", async (rpcCompatibility, message) => {
    await using node = await createTestNode({
      plugins: [off, rpcPriv],
      options: { rpcCompatibility },
    });

    for (const params of [[], [[]], ["nonsense"]]) {
      await expect(node.rpc(name, params)).rejects.toMatchObject({ code: -32604, message });
    }
  });
});
