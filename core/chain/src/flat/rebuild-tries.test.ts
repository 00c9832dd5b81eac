import { createTestNode, transfer } from "@plinth/testing";
import { expect, it } from "vitest";

it.each(["BONSAI", "FOREST"])(
  "a rebuild of states ends with the reason of its signal: %s",
  async (dataStorageFormat) => {
    await using node = await createTestNode({ options: { dataStorageFormat } });
    await node.mine([transfer()]);
    const reason = new Error("the node stops");
    const rebuilt = node.node.blocks.rebuildStates(AbortSignal.abort(reason));

    await expect(rebuilt.next()).rejects.toBe(reason);
    await node.mine([transfer()]);
    expect(node.node.blocks.head().number).toBe(2n);
  },
);
