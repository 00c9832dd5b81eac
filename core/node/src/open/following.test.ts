import { definePlugin } from "@plinth/core";
import { following } from "@plinth/core/chain";
import type { NetworkDriver } from "@plinth/core/network";
import { createInside, createTestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";

const KEY = `0x${"11".repeat(32)}` as const;

/** Fails the start if it is opened. */
const driver: NetworkDriver = {
  name: "toy",
  open: () => Promise.reject(new Error("the network was opened")),
};

describe("a node that follows others", () => {
  it("has neither a key nor peers, and produces no blocks", async () => {
    const inside = createInside();
    const follower = definePlugin({
      name: "follower",
      setup({ contribute, network }) {
        contribute(following, true);
        network.driver(driver);
      },
    });

    await using node = await createTestNode({ plugins: [inside.plugin, follower], key: KEY });

    const { nodeKey, production, network } = inside.runtime();
    expect({ nodeKey, production, isEnabled: network.isEnabled }).toEqual({
      ...{ nodeKey: undefined, production: undefined, isEnabled: false },
    });
    expect(node.node.blocks.head().number).toBe(0n);
  });

  it("shows plugins which options are set", async () => {
    const found: Record<string, boolean> = {};
    const asking = definePlugin({
      name: "asking",
      setup({ hooks }) {
        hooks.lifecycle.registered.tap(({ isOptionSet }) => {
          for (const key of ["minGasPrice", "minerEnabled", "unknown"])
            found[key] = isOptionSet(key);
        });
      },
    });

    await using node = await createTestNode({ plugins: [asking], options: { minGasPrice: 1n } });

    expect(found).toEqual({ minGasPrice: true, minerEnabled: false, unknown: false });
    expect(node.node.blocks.head().number).toBe(0n);
  });
});
