import { getCrypto, type Hex, hexToBytes, loadCrypto, toHex } from "@plinth/core";
import { FakeClock } from "@plinth/core/testing";
import consensusIbft from "@plinth/plugin-consensus-ibft";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { createTestNode, type TestNode } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";

const START_SECONDS = 1_700_000_000;
const KEY: Hex = `0x${"01".padStart(64, "0")}`;

beforeAll(async () => {
  await loadCrypto();
});

describe("the genesis file of a BFT chain", () => {
  it("delays empty blocks of QBFT only: IBFT 2.0 makes them as ever", async () => {
    const clock = new FakeClock(START_SECONDS * 1000);
    await using ibft = await start("ibft2", { xemptyblockperiodseconds: 60 }, clock);
    await using qbft = await start("qbft", { xemptyblockperiodseconds: 60 }, clock);
    await run(clock, 10);

    expect(qbft.node.blocks.head().number).toBe(0n);
    expect(ibft.node.blocks.head().number).toBeGreaterThan(7n);
  });
});

/** A node that is the only validator. */
function start(engine: "ibft2" | "qbft", settings: object, clock: FakeClock): Promise<TestNode> {
  const codec = engine === "qbft" ? qbftExtraData : ibftExtraData;
  const self = getCrypto().addressOf(getCrypto().publicKeyOf(hexToBytes(KEY)));
  return createTestNode({
    plugins: [consensusIbft, consensusQbft],
    key: KEY,
    clock,
    genesis: {
      config: { chainId: 1337, londonBlock: 0, zeroBaseFee: true, [engine]: settings },
      difficulty: "0x1",
      gasLimit: "0x1c9c380",
      timestamp: `0x${START_SECONDS.toString(16)}`,
      extraData: toHex(codec.encodeGenesis([self])),
      alloc: {},
    },
  });
}

async function run(clock: FakeClock, seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 10; step++) {
    await clock.advance(100);
    for (let turn = 0; turn < 15; turn++) await new Promise((done) => setImmediate(done));
  }
}
