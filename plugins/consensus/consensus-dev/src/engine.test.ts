import { definePlugin, type Header, type Plugin } from "@plinth/core";
import { createTestNode, DEV_GENESIS, devChain, FakeClock, signTransaction } from "@plinth/testing";
import { describe, expect, it } from "vitest";

const BOB = "0x00000000000000000000000000000000000000b0";

async function startChain(
  options: Record<string, unknown> = {},
  clock = new FakeClock(1_700_000_000_000),
  others: readonly Plugin[] = [],
) {
  const plugins = [...devChain, ...others];
  const node = await createTestNode({ plugins, genesis: DEV_GENESIS, options, clock });
  const blocks = node.node.blocks;
  return { node, clock, blocks, [Symbol.asyncDispose]: () => node.stop() };
}

/** Waits until the chain has a block of that number; production runs in the background. */
async function untilBlock(blocks: { head(): Header }, number: bigint): Promise<Header> {
  while (blocks.head().number < number) await new Promise((resolve) => setImmediate(resolve));
  return blocks.head();
}

describe("the engine of development chains", () => {
  it("produces a block when a transaction arrives, and none without", async () => {
    await using chain = await startChain();
    await chain.clock.advance(60_000);
    expect(chain.blocks.head().number).toBe(0n);

    chain.node.node.pool.submit(Buffer.from((await signTransaction({ to: BOB })).slice(2), "hex"));

    const header = await untilBlock(chain.blocks, 1n);
    expect(header.gasUsed).toBe(21_000n);
    expect(header.timestamp).toBe(1_700_000_060n);
  });

  it("retries what a block could not include, even if nothing else arrives", async () => {
    let asked = 0;
    const busy = definePlugin({
      name: "busy",
      setup({ hooks }) {
        hooks.build.transaction.tap(() => (asked++ === 0 ? "skip" : undefined));
      },
    });
    await using chain = await startChain({}, undefined, [busy]);
    await chain.node.node.pool.submit(
      Buffer.from((await signTransaction({ to: BOB })).slice(2), "hex"),
    );
    while (asked === 0) await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(chain.blocks.head().number).toBe(0n);

    await chain.clock.advance(1_000);

    expect((await untilBlock(chain.blocks, 1n)).gasUsed).toBe(21_000n);
  });

  it("produces a block every period, even if it is empty", async () => {
    await using chain = await startChain({ devPeriodSeconds: 5 });

    await chain.clock.advance(5_000);
    await untilBlock(chain.blocks, 1n);
    await chain.clock.advance(5_000);

    expect((await untilBlock(chain.blocks, 2n)).timestamp).toBe(1_700_000_010n);
  });

  it("never goes back in time", async () => {
    await using chain = await startChain({}, new FakeClock(0));
    const send = async (nonce: number) =>
      await chain.node.node.pool.submit(
        Buffer.from((await signTransaction({ nonce, to: BOB })).slice(2), "hex"),
      );

    await send(0);
    await untilBlock(chain.blocks, 1n);
    await send(1);

    expect((await untilBlock(chain.blocks, 2n)).timestamp).toBe(2n);
  });

  it("rejects a block that is not later than its parent", async () => {
    await using chain = await startChain();
    const parent = chain.blocks.head();
    const body = { transactions: [], uncles: [] };
    const header = { ...parent, number: 1n, parentHash: parent.hash };

    await expect(chain.blocks.import({ header, body }, { origin: "peer" })).rejects.toMatchObject({
      code: "BLOCK_INVALID",
      rule: "timestamp",
    });
  });
});
