import { createTestNode, DEV_GENESIS, devChain, FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";

const NOW = 1_700_000_000;

async function start(options: Record<string, unknown>, clock = new FakeClock(NOW * 1000)) {
  const config = { ...DEV_GENESIS.config, dev: { beginsNow: true } };
  const node = await createTestNode({
    plugins: devChain,
    genesis: { ...DEV_GENESIS, config },
    options,
    clock,
  });
  const header = (number: bigint) => node.node.blocks.findHeader(number);
  return { node, clock, header, [Symbol.asyncDispose]: () => node.stop() };
}

describe("the start of a development chain", () => {
  it("is at the requested time, and the clock continues from there", async () => {
    await using chain = await start({ devTimestamp: 1_000_000_000 });

    await chain.clock.advance(60_000);
    await chain.node.mine([]);

    expect(chain.header(0n)?.timestamp).toBe(1_000_000_000n);
    expect(chain.header(1n)?.timestamp).toBe(1_000_000_060n);
  });

  it("continues from the last block after a restart", async () => {
    await using chain = await start({ devTimestamp: 1_000_000_000 });
    await chain.clock.advance(60_000);
    await chain.node.mine([]);

    await chain.node.restart();
    await chain.clock.advance(5_000);
    await chain.node.mine([]);

    expect(chain.header(2n)?.timestamp).toBe(1_000_000_065n);
  });

  it.each([0n, 5_000_000_000n])("has the requested base fee: %d", async (devBaseFee) => {
    await using chain = await start({ devBaseFee });

    await chain.node.mine([], []);

    const fees = [0n, 1n, 2n].map((number) => chain.header(number)?.baseFeePerGas);
    expect(fees).toEqual([devBaseFee, devBaseFee, devBaseFee - devBaseFee / 8n]);
  });

  it.each([{ devTimestamp: 0 }, { devTimestamp: 2 ** 40 }])("is rejected: %j", async (options) => {
    await expect(start(options)).rejects.toMatchObject({ code: "OPTION_INVALID" });
  });
});
