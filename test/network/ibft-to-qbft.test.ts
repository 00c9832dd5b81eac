import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/program.js";
import { report } from "../support/report.js";
import { FinalBlocks } from "./final-blocks.js";
import { until } from "./network-node.js";
import { TransferLoad } from "./transfer-load.js";
import { RICH, ValidatorNetwork, type ValidatorNode } from "./validator-network.js";

const isLong = process.env.PLINTH_NETWORK !== undefined;
const LIMIT_MS = 60_000;
/** Number of blocks between the restart of the first node and the change. */
const NOTICE = isLong ? 30 : 16;
const MOST_PERIODS = 3;

// The steps of docs/operators/ibft-to-qbft.md.
it.skipIf(!isLong)(
  "four IBFT 2.0 validators change to QBFT under load, with one killed at the change and another restarted",
  async () => {
    await using network = await ValidatorNetwork.create({
      validators: 4,
      engine: "ibft2",
      settings: { requestTimeoutSeconds: 2 },
    });
    await network.startAll();
    const [first, killed, restarted, other] = network.nodes as Four;
    await untilHeight(network.nodes, 2);
    const load = new TransferLoad(first);
    const firstQbft = (await first.height()) + NOTICE;

    for (const node of [killed, restarted, other, first]) {
      await load.pause();
      await node.kill("SIGTERM");
      node.changeGenesis(({ config, ...genesis }) => ({
        ...genesis,
        config: { ...config, ...readEntry(firstQbft) },
      }));
      await node.start();
      await untilHeight([node], Math.max(...(await heightsOf(network.nodes))));
      load.go();
    }
    expect(await first.height()).toBeLessThan(firstQbft - 1);

    await untilHeight([first], firstQbft - 1);
    await killed.kill();
    await killed.start();
    await untilHeight(network.nodes, firstQbft + 5);
    await restarted.kill("SIGTERM");
    await restarted.start();
    await untilHeight(network.nodes, firstQbft + 8);
    const sent = await load.end();
    await untilHeight(network.nodes, (await first.height()) + 2);

    await new FinalBlocks().addAll(network.nodes);
    const before = `0x${(firstQbft - 1).toString(16)}`;
    const after = `0x${firstQbft.toString(16)}`;
    for (const node of network.nodes) {
      const validators = network.nodes.map(({ address }) => address).sort();
      expect(await node.rpc("ibft_getValidatorsByBlockNumber", [before])).toEqual(validators);
      expect(await node.rpc("qbft_getValidatorsByBlockNumber", [after])).toEqual(validators);
      expect(await node.rpc("eth_getTransactionCount", [RICH.address, "latest"])).toBe(
        `0x${sent.toString(16)}`,
      );
    }
    const slowest = await longestGap(first, firstQbft - 2);
    if (isLong) expect(slowest).toBeLessThanOrEqual(MOST_PERIODS);
    report("transactions, longest time between two blocks at the change in seconds", [
      Number(sent),
      slowest,
    ]);
  },
  10 * LIMIT_MS,
);

type Four = readonly [ValidatorNode, ValidatorNode, ValidatorNode, ValidatorNode];

/** The runbook's changes of the genesis file. */
function readEntry(startblock: number): object {
  const runbook = readFileSync(join(ROOT, "docs/operators/ibft-to-qbft.md"), "utf8");
  const [, json = ""] = /```json\n([\s\S]*?)```/.exec(runbook) ?? [];
  const { qbft } = JSON.parse(json);
  return { qbft: { ...qbft, startblock } };
}

async function heightsOf(nodes: readonly ValidatorNode[]): Promise<readonly number[]> {
  return Promise.all(nodes.map((node) => node.height()));
}

async function untilHeight(nodes: readonly ValidatorNode[], height: number): Promise<void> {
  await until(async () => (await heightsOf(nodes)).every((each) => each >= height), LIMIT_MS);
}

/** The longest interval between two blocks from one on, in seconds. */
async function longestGap(node: ValidatorNode, from: number): Promise<number> {
  const times: number[] = [];
  for (let number = from; number <= (await node.height()); number++) {
    const block = await node.rpc("eth_getBlockByNumber", [`0x${number.toString(16)}`, false]);
    times.push(Number((block as { readonly timestamp: string }).timestamp));
  }
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
}
