import { createRandom } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { report } from "../support/report.js";
import { FinalBlocks } from "./final-blocks.js";
import { until } from "./network-node.js";
import { ValidatorNetwork, type ValidatorNode } from "./validator-network.js";

/** `npm run long -- network` runs all of them, and for long. */
const isLong = process.env.PLINTH_NETWORK !== undefined;
const KILLS = isLong ? 50 : 2;
const PARTITION_MS = 60_000;
const STOP_MS = 30_000;
/** Limits apply on a quiet machine; elsewhere they only end what hangs. */
const RESUME_MS = isLong ? 10_000 : 60_000;
const SEED = 20_241_116;

const ENGINES = isLong ? (["qbft", "ibft2"] as const) : (["qbft"] as const);

describe.each(ENGINES)("four %s validators as processes", (engine) => {
  const settings = engine === "ibft2" ? { requestTimeoutSeconds: 3 } : {};

  it(
    `resume after all of them were killed, ${KILLS} times`,
    async () => {
      const random = createRandom(SEED);
      await using network = await ValidatorNetwork.create({ validators: 4, engine, settings });
      const blocks = new FinalBlocks();
      await network.startAll();
      await untilOneMore(network.nodes, RESUME_MS);
      const resumed: number[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        await pause(random() * 2500);
        await Promise.all(
          network.nodes.map(async (node) => {
            await pause(random() * 300);
            await node.kill();
          }),
        );
        await network.startAll();
        resumed.push(await untilOneMore(network.nodes, RESUME_MS));
        await blocks.addAll(network.nodes);
      }
      report("milliseconds until all had a new block, slowest", [Math.max(...resumed)]);
    },
    KILLS * 90_000,
  );

  it.runIf(isLong)(
    "resume when the halves of a partition meet again",
    async () => {
      const shared = { validators: 4, engine, settings, isGated: true };
      await using network = await ValidatorNetwork.create(shared);
      const blocks = new FinalBlocks();
      await network.startAll();
      await untilOneMore(network.nodes, RESUME_MS);

      network.partition([0, 1]);
      await pause(5000);
      const stood = await heightsOf(network.nodes);
      await pause(PARTITION_MS - 5000);
      const stillStood = await heightsOf(network.nodes);
      network.heal();
      const healed = await untilOneMore(network.nodes, RESUME_MS);

      expect(Math.max(...stillStood)).toBe(Math.max(...stood));
      await blocks.addAll(network.nodes);
      report("milliseconds from the end of a partition to a new block", [healed]);
    },
    PARTITION_MS + 120_000,
  );

  it.runIf(isLong)(
    "continue while one of them is suspended, which catches up when it is resumed",
    async () => {
      await using network = await ValidatorNetwork.create({ validators: 4, engine, settings });
      const blocks = new FinalBlocks();
      await network.startAll();
      await untilOneMore(network.nodes, RESUME_MS);
      const [sleeper, ...others] = network.nodes as Four;

      sleeper.signal("SIGSTOP");
      const before = Math.max(...(await heightsOf(others)));
      await pause(STOP_MS);
      const during = Math.min(...(await heightsOf(others))) - before;
      sleeper.signal("SIGCONT");
      const caughtUp = await untilOneMore(network.nodes, RESUME_MS);

      // One of four rounds belongs to it and is lost.
      expect(during).toBeGreaterThan(STOP_MS / 1000 / 3);
      await blocks.addAll(network.nodes);
      report("blocks of 30 s without one, milliseconds until it has caught up", [during, caughtUp]);
    },
    STOP_MS + 120_000,
  );

  it.runIf(isLong)(
    "produce blocks with clocks that are 5 s apart",
    async () => {
      const clocksAheadMs = [0, 5000, 0, 5000];
      const shared = { validators: 4, engine, settings, clocksAheadMs };
      await using network = await ValidatorNetwork.create(shared);
      const blocks = new FinalBlocks();
      await network.startAll();
      const times: number[] = [];
      for (let block = 0; block < 10; block++) {
        times.push(await untilOneMore(network.nodes, 60_000));
      }
      await blocks.addAll(network.nodes);
      report("milliseconds from block to block with clocks 5 s apart", times);
    },
    900_000,
  );
});

type Four = readonly [ValidatorNode, ValidatorNode, ValidatorNode, ValidatorNode];

async function heightsOf(nodes: readonly ValidatorNode[]): Promise<readonly number[]> {
  return Promise.all(nodes.map((node) => node.height()));
}

/** Waits until every node has a new block; returns how long that took. */
async function untilOneMore(nodes: readonly ValidatorNode[], limitMs: number): Promise<number> {
  const height = Math.max(...(await heightsOf(nodes)));
  return until(async () => (await heightsOf(nodes)).every((each) => each > height), limitMs);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
