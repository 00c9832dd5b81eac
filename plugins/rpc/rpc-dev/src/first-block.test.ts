import { createTestNode, devChain, FakeClock, recordLogs } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import rpcDev from "./index.js";

async function start(options: Record<string, unknown>) {
  const logs = recordLogs();
  const clock = new FakeClock(1_700_000_000_000);
  const node = await createTestNode({ plugins: [rpcDev, ...devChain], options, clock, logs });
  return { node, logs, [Symbol.asyncDispose]: () => node.stop() };
}

describe("--dev-number", () => {
  it("starts a chain at a block, with the time and the base fee of block 0", async () => {
    await using chain = await start({ devNumber: 30 });
    const { blocks } = chain.node.node;
    const [genesis, head] = [blocks.findHeader(0n), blocks.head()];

    expect(head.number).toBe(30n);
    expect(head.timestamp).toBe(genesis?.timestamp);
    expect(head.baseFeePerGas).toBe(genesis?.baseFeePerGas);
    expect(chain.logs.entries.map(({ message }) => message)).toContain(
      "The chain starts at block 30: the blocks below are empty",
    );
  });

  it("does nothing on a longer chain", async () => {
    await using chain = await start({ devNumber: 2 });
    await chain.node.mine([], []);

    await chain.node.restart();

    expect(chain.node.node.blocks.head().number).toBe(4n);
  });

  it.each([-1, 100_001, 1.5])("is rejected: %d", async (devNumber) => {
    await expect(start({ devNumber })).rejects.toMatchObject({ code: "OPTION_INVALID" });
  });
});
