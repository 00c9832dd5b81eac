import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runProgram } from "../support/program.js";
import { FinalBlocks } from "./final-blocks.js";
import { until } from "./network-node.js";
import { ValidatorNetwork, type ValidatorNode } from "./validator-network.js";

/** `npm run long -- network` runs all of them. */
const isLong = process.env.PLINTH_NETWORK !== undefined;
const ENGINES = isLong ? (["qbft", "ibft2"] as const) : (["qbft"] as const);
const LIMIT_MS = 60_000;
/**
 * Blocks are produced every tenth of a second: enough time for a validator that would sign again.
 */
const STANDSTILL_MS = 700;
const WORDS = ["--rpc-http-api=ETH,DEBUG,PLINTH"];
const FAST = { xBlockPeriodMilliseconds: 100 };

describe.each(ENGINES)("a single %s validator", (engine) => {
  const option = engine === "qbft" ? "qbft-sign-from" : "ibft-sign-from";
  const file = engine === "qbft" ? "signed-qbft.json" : "signed-ibft.json";

  it("signs no block again after a restored backup, a lost database or debug_setHead, until the operator allows it", async () => {
    await using network = await ValidatorNetwork.create({
      ...{ validators: 1, engine, settings: FAST, words: WORDS },
    });
    const [node] = network.nodes as readonly [ValidatorNode];
    await node.start();
    await untilHeight(node, 3);
    const data = ["--data-path=data", `--genesis-file=${node.file("genesis.json")}`];
    const db = (...words: readonly string[]) =>
      runProgram([...data, "db", ...words], { folder: node.file(".") });
    expect(await db("backup", node.file("backup"))).toMatchObject({ code: 0 });
    const signed = await untilHeight(node, (await node.height()) + 5);

    await node.kill();
    expect(await db("restore", node.file("backup"))).toMatchObject({ code: 0 });
    await node.start();
    await expectStandstill(node, `${file} records that it has signed block`);
    expect(await node.height()).toBeLessThan(signed);

    await node.kill();
    rmSync(node.file("data/database"), { recursive: true });
    rmSync(node.file("data/database-head.json"));
    await node.start();
    await expectStandstill(node, `${file} records that it has signed block`);
    expect(await node.height()).toBe(0);

    await node.kill();
    node.configure([`${option} = 1`]);
    await node.start();
    const [second] = [await blockAt(node, 2), await untilHeight(node, 8)];
    await node.rpc("debug_setHead", ["0x1"]);
    await expectStandstill(node, ", and its chain was rewound");
    expect(await node.height()).toBe(1);

    await node.kill();
    await node.start();
    await expectStandstill(node, ", and its chain was rewound");
    await node.kill();
    node.configure([`${option} = 2`]);
    await node.start();
    await untilHeight(node, 3);
    expect(await blockAt(node, 2)).not.toBe(second);
  }, 180_000);
});

describe.runIf(isLong).each(ENGINES)("four %s validators", (engine) => {
  it("return the blocks to a restored one, which signs again with them", async () => {
    await using network = await ValidatorNetwork.create({
      ...{ validators: 4, engine, settings: FAST, words: WORDS },
    });
    const [node, other, down] = network.nodes as readonly ValidatorNode[] as readonly [
      ValidatorNode,
      ValidatorNode,
      ValidatorNode,
    ];
    const blocks = new FinalBlocks();
    await network.startAll();
    await untilHeight(node, 3);
    const data = ["--data-path=data", `--genesis-file=${node.file("genesis.json")}`];
    const db = (...words: readonly string[]) =>
      runProgram([...data, "db", ...words], { folder: node.file(".") });
    expect(await db("backup", node.file("backup"))).toMatchObject({ code: 0 });
    await untilHeight(node, (await node.height()) + 20);
    await blocks.addAll(network.nodes);

    await node.kill();
    expect(await db("restore", node.file("backup"))).toMatchObject({ code: 0 });
    await node.start();
    await untilHeight(node, (await other.height()) + 10);
    // The others cannot continue without it, and it has the blocks on its disk.
    await down.kill();
    await node.rpc("debug_setHead", ["0x2"]);
    await untilHeight(node, (await other.height()) + 10);

    await down.start();
    await blocks.addAll(network.nodes);
    expect(node.output()).toContain("this node signs again");
  }, 180_000);

  it("agree, and continue, while a second node has the key of one of them", async () => {
    await using network = await ValidatorNetwork.create({
      ...{ validators: 4, others: 1, engine, words: WORDS },
      peersOf: (index) => [0, 1, 2, 3].filter((each) => each !== index % 4),
    });
    const [first, , , , twin] = network.nodes as readonly ValidatorNode[];
    if (first === undefined || twin === undefined) throw new Error("a node is missing");
    twin.useKeyOf(first);
    const blocks = new FinalBlocks();
    await network.startAll();

    for (let round = 0; round < 10; round++) {
      await pause(2000);
      await blocks.addAll(network.nodes);
    }

    expect(await first.height()).toBeGreaterThan(5);
  }, 180_000);
});

async function untilHeight(node: ValidatorNode, height: number): Promise<number> {
  await until(async () => (await node.height()) >= height, LIMIT_MS);
  return node.height();
}

async function expectStandstill(node: ValidatorNode, reason: string): Promise<void> {
  const before = await node.height();
  await pause(STANDSTILL_MS);
  expect(await node.height()).toBe(before);
  const status = JSON.stringify(await node.rpc("plinth_status"));
  expect(status).toContain("this node signs nothing");
  expect(status).toContain(reason);
  expect(node.output()).toContain(reason);
}

async function blockAt(node: ValidatorNode, number: number): Promise<string> {
  await untilHeight(node, number);
  const block = await node.rpc("eth_getBlockByNumber", [`0x${number.toString(16)}`, false]);
  return (block as { readonly hash: string }).hash;
}
