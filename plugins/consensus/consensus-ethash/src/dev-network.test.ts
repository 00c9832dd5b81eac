import { createTestNode, devChain } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import ethash from "./index.js";

const evm = devChain.filter(({ name }) => name.startsWith("evm-"));
const plugins = [...evm, ethash];

describe("the network dev", () => {
  it.each(["dev", "DEV"])("is found by its name: %s", async (network) => {
    await using node = await createTestNode({ plugins, options: { network } });

    expect(node.node.blocks.head().hash).toBe(
      "0x2f2a939c2cdd8918be11a55a1e7db412861ed477ed927d8f122b55ccd0f8bbcb",
    );
  });
});
