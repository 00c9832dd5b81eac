import { definePlugin } from "@plinth/core";
import { ibftExtraData } from "@plinth/plugin-consensus-ibft/api";
import { qbftExtraData } from "@plinth/plugin-consensus-qbft/api";
import { createRandom } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { report } from "../support/report.js";
import { ValidatorMesh } from "../support/validator-mesh.js";

/** `npm run long -- crossings` runs 500. */
const CROSSINGS = Number(process.env.PLINTH_CROSSINGS ?? 6);
const FIRST_SEED = Number(process.env.PLINTH_SEED ?? 1);
/** The first block of QBFT. */
const SWITCH = 4;
const VALIDATORS = 4;
const BLOCKS_AFTER = 3;

describe("a network that changes from IBFT 2.0 to QBFT", () => {
  it(
    `succeeds in each of ${CROSSINGS} runs with failing nodes`,
    async () => {
      const slowest: number[] = [];
      for (let seed = FIRST_SEED; seed < FIRST_SEED + CROSSINGS; seed++) {
        slowest.push(await cross(seed));
      }
      report("seconds from block to block after the faults, slowest", [Math.max(...slowest)]);
    },
    60_000 + CROSSINGS * 30_000,
  );

  it("serves each block in the namespace of its engine, and keeps votes", async () => {
    await using mesh = await ValidatorMesh.start({
      validators: VALIDATORS,
      others: 1,
      ibft2: {},
      qbft: { startBlock: SWITCH },
    });
    const [node, newcomer] = [mesh.node(0), mesh.address(VALIDATORS)];
    const validators = mesh.addresses.slice(0, VALIDATORS).sort();
    // One vote of four changes nothing, and continues with QBFT.
    await node.rpc("ibft_proposeValidatorVote", [newcomer, true]);
    await mesh.untilHeight(SWITCH - 2);
    expect(await node.rpc("ibft_getPendingVotes")).toEqual({ [newcomer]: true });
    await mesh.untilHeight(SWITCH + 1);

    expect(await node.rpc("qbft_getPendingVotes")).toEqual({ [newcomer]: true });
    expect(await node.rpc("ibft_getValidatorsByBlockNumber", ["0x3"])).toEqual(validators);
    expect(await node.rpc("qbft_getValidatorsByBlockNumber", ["0x4"])).toEqual(validators);
    expect(await node.rpc("qbft_getValidatorsByBlockNumber", ["pending"])).toEqual(validators);
    expect(await node.rpc("ibft_getSignerMetrics", ["0x1", "0x3"])).toHaveLength(VALIDATORS);
    const { hash } = mesh.head();
    for (const [method, params] of [
      ["ibft_getValidatorsByBlockNumber", ["0x4"]],
      ["ibft_getValidatorsByBlockNumber", ["pending"]],
      ["ibft_getValidatorsByBlockHash", [hash]],
      ["ibft_getSignerMetrics", ["0x1", "0x4"]],
    ] as const) {
      await expect(node.rpc(method, params)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(
          "which produces the blocks from 4 on: use the qbft methods",
        ),
      });
    }
    for (const [method, params] of [
      ["ibft_proposeValidatorVote", [newcomer, true]],
      ["ibft_discardValidatorVote", [newcomer]],
      ["ibft_getPendingVotes", []],
    ] as const) {
      await expect(node.rpc(method, params)).rejects.toMatchObject({ code: -32604 });
    }
  }, 60_000);
});

describe("the validators of a block, before and after the change to QBFT", () => {
  it("are those of the requested block, by number and by hash", async () => {
    await using mesh = await ValidatorMesh.start({
      validators: VALIDATORS,
      others: 1,
      ibft2: {},
      qbft: { startBlock: SWITCH },
      transitions: (addresses) => [{ block: SWITCH + 2, validators: addresses }],
    });
    await mesh.untilHeight(SWITCH + 3);
    const node = mesh.node(0);
    const [four, five] = [mesh.addresses.slice(0, VALIDATORS).sort(), [...mesh.addresses].sort()];
    const ask = async (namespace: string, number: number) => {
      const hash = node.node.blocks.findHeader(BigInt(number))?.hash;
      const lists = [
        await node.rpc(`${namespace}_getValidatorsByBlockNumber`, [`0x${number}`]),
        await node.rpc(`${namespace}_getValidatorsByBlockHash`, [hash]),
      ];
      // The genesis file lists them in any order.
      return lists.map((list) => [...(list as string[])].sort());
    };

    for (const number of [0, 1, SWITCH - 1]) {
      expect(await ask("ibft", number)).toEqual([four, four]);
      expect(await ask("qbft", number)).toEqual([four, four]);
    }
    for (const number of [SWITCH, SWITCH + 1]) {
      expect(await ask("qbft", number)).toEqual([four, four]);
    }
    for (const number of [SWITCH + 2, SWITCH + 3]) {
      expect(await ask("qbft", number)).toEqual([five, five]);
    }
  }, 60_000);
});

describe("a node that is restarted after the change to QBFT", () => {
  it("runs QBFT only", async () => {
    const received = new Set<string>();
    const listener = definePlugin({
      name: "test-listener",
      setup({ hooks }) {
        hooks.network.message.tap(({ protocol }) => {
          received.add(protocol.name);
          return undefined;
        });
      },
    });
    await using mesh = await ValidatorMesh.start({
      validators: VALIDATORS,
      ibft2: {},
      qbft: { startBlock: SWITCH },
      plugins: [listener],
    });
    await mesh.untilHeight(SWITCH + 1);
    expect(received).toContain("IBF");
    for (let index = 0; index < VALIDATORS; index++) await mesh.node(index).restart();
    received.clear();
    await mesh.untilHeight(Number(mesh.head().number) + 3);

    expect(received).toContain("istanbul");
    expect(received).not.toContain("IBF");
    const { checks } = await mesh.node(0).node.health();
    expect(checks.filter(({ status }) => status !== "up")).toEqual([]);
  }, 60_000);
});

/**
 * Runs a network across the switch while nodes are restarted and disconnected; returns the longest
 * gap after that.
 */
async function cross(seed: number): Promise<number> {
  const random = createRandom(seed);
  const dice = (bound: number) => Math.floor(random() * bound);
  await using mesh = await ValidatorMesh.start({
    validators: VALIDATORS,
    ibft2: {},
    qbft: { startBlock: SWITCH },
  });
  const names = Array.from({ length: VALIDATORS }, (_, index) => `n${index}`);
  for (let fault = 0; fault < 4; fault++) {
    await mesh.run(dice(15) * 100);
    const kind = dice(3);
    if (kind === 0) await mesh.node(dice(VALIDATORS)).restart();
    if (kind === 1) for (const index of names.keys()) await mesh.node(index).restart();
    if (kind === 2) {
      const half = names.filter(() => dice(2) === 0);
      mesh.network.partition(
        half,
        names.filter((name) => !half.includes(name)),
      );
      await mesh.run(dice(40) * 100);
      mesh.network.heal();
    }
  }
  const height = Math.max(SWITCH, ...names.map((_, index) => Number(mesh.head(index).number)));
  await mesh.untilHeight(height + BLOCKS_AFTER);
  return expectOneChain(mesh, height + BLOCKS_AFTER);
}

function expectOneChain(mesh: ValidatorMesh, height: number): number {
  const times: number[] = [];
  for (let number = 1n; number <= BigInt(height); number++) {
    const headers = Array.from({ length: VALIDATORS }, (_, index) =>
      mesh.node(index).node.blocks.findHeader(number),
    );
    expect(new Set(headers.map((header) => header?.hash)).size).toBe(1);
    const header = headers[0];
    if (header === undefined) throw new Error(`block ${number} is missing`);
    const codec = number < SWITCH ? ibftExtraData : qbftExtraData;
    expect(codec.decode(header.extraData).seals.length).toBeGreaterThanOrEqual(3);
    times.push(Number(header.timestamp));
  }
  const last = times.slice(-BLOCKS_AFTER);
  return Math.max(...last.slice(1).map((time, index) => time - (last[index] ?? time)));
}
