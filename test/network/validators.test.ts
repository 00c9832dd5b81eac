import { describe, expect, it } from "vitest";
import { report } from "../support/report.js";
import { until } from "./network-node.js";
import { ValidatorNetwork, type ValidatorNode } from "./validator-network.js";

/** `npm run long -- network` lets them run for long. */
const isLong = process.env.PLINTH_NETWORK !== undefined;
const BLOCKS = isLong ? 300 : 3;
const LIMIT_MS = 120_000 + BLOCKS * 4000;
const DOWN_MS = isLong ? 60_000 : 1_000;

describe("four QBFT validators as processes", { timeout: LIMIT_MS }, () => {
  it("produce blocks, continue without one of them, wait without two, and resume when one is back", async () => {
    await using network = await ValidatorNetwork.create({ validators: 4, others: 1 });
    await network.startAll();
    const [first, second, third, , follower] = network.nodes as Five;
    await untilHeight(network.nodes, BLOCKS);

    await second.kill();
    const alone = await first.height();
    await untilHeight([first, third, follower], alone + (isLong ? 5 : 3));

    await third.kill();
    const stood = await untilStill(first, DOWN_MS);
    const status = JSON.stringify(await first.rpc("plinth_status"));
    expect(status).toContain("3 of 4 validators must agree");
    expect(status).toMatch(new RegExp(`not connected: [^.]*${second.address}`));
    expect(status).toMatch(new RegExp(`not connected: [^.]*${third.address}`));
    await second.start();
    const resumed = await until(async () => (await first.height()) > stood, 15_000);

    third.wipe();
    await third.start();
    const rejoined = await until(
      async () => (await third.height()) >= (await first.height()),
      30_000,
    );
    await second.kill();
    await untilHeight([first, third, follower], (await first.height()) + 3);

    if (isLong) expect(resumed).toBeLessThan(5_000);
    if (isLong) expect(rejoined).toBeLessThan(15_000);
    report("milliseconds until a block came after a validator was back", [resumed]);
    report("milliseconds until a validator with an empty folder had caught up", [rejoined]);
    await expectEqualChains([first, third, follower]);
  });
});

describe("four IBFT 2.0 validators as processes", { timeout: LIMIT_MS }, () => {
  it.runIf(isLong)("produce blocks, and continue without one of them", async () => {
    await using network = await ValidatorNetwork.create({
      validators: 4,
      engine: "ibft2",
      settings: { requestTimeoutSeconds: 3 },
    });
    await network.startAll();
    const [first, ...others] = network.nodes as Four;
    await untilHeight(network.nodes, isLong ? 300 : 4);
    await first.kill();
    await untilHeight(others, (await others[0].height()) + 4);
    await expectEqualChains(others);
  });
});

type Four = readonly [ValidatorNode, ValidatorNode, ValidatorNode, ValidatorNode];
type Five = readonly [ValidatorNode, ValidatorNode, ValidatorNode, ValidatorNode, ValidatorNode];

async function untilHeight(nodes: readonly ValidatorNode[], height: number): Promise<void> {
  await until(
    async () => {
      const heights = await Promise.all(nodes.map((node) => node.height()));
      return heights.every((each) => each >= height);
    },
    30_000 + height * 2000,
  );
}

/** Waits while too few validators are up; returns the height, which does not change. */
async function untilStill(node: ValidatorNode, ms: number): Promise<number> {
  // A block that was decided when the other ended may still arrive.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const height = await node.height();
  await new Promise((resolve) => setTimeout(resolve, ms));
  expect(await node.height()).toBe(height);
  return height;
}

async function expectEqualChains(nodes: readonly ValidatorNode[]): Promise<void> {
  const height = Math.min(...(await Promise.all(nodes.map((node) => node.height()))));
  for (let number = 1; number <= height; number += Math.ceil(height / 50)) {
    const blocks = await Promise.all(
      nodes.map((node) => node.rpc("eth_getBlockByNumber", [`0x${number.toString(16)}`, false])),
    );
    expect(new Set(blocks.map((block) => (block as { hash: string }).hash)).size).toBe(1);
  }
}
