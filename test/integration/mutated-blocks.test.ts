import { readFileSync } from "node:fs";
import {
  type Address,
  type Block,
  definePlugin,
  encodeBlock,
  InvalidBlock,
  InvalidTransaction,
  keccakHeader,
  type Plugin,
  RlpError,
} from "@plinth/core";
import { decodeBlock } from "@plinth/core/blocks";
import consensusEthash from "@plinth/plugin-consensus-ethash";
import consensusPos from "@plinth/plugin-consensus-pos";
import evmPlinth from "@plinth/plugin-evm-plinth";
import { createTestNode, DEV_GENESIS, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { readBlocks } from "../support/block-file.js";
import { CONFORMANCE, isConformanceMissing } from "../support/conformance.js";
import { createDice, mutate } from "../support/mutate.js";

const MUTATIONS = Number(process.env.PLINTH_MUTATIONS ?? 700);
/** Eight blocks are changed, or four if only the development chain is available. */
const SHARE = Math.ceil(MUTATIONS / (isConformanceMissing ? 4 : 8));
const BESU = `${CONFORMANCE}/besu-chain`;
const LIMIT_MS = 10_000 + MUTATIONS * 20;
/** Code that always reverts, and its init code. */
const CREATE_REVERTING = "0x6460006000fd6000526005601bf3";
/** The address at which Alice's third transaction creates it. */
const REVERTING: Address = "0x9a3dbca554e9f6b9257aaa24010da8377c57c17e";

describe("a block whose bytes were changed", () => {
  it(
    "is rejected, on a development chain",
    async () => {
      const blocks = await makeBlocks();

      for (const last of [1, 2, 3, 4]) {
        const part = blocks.slice(0, last);
        await tryMutations({ genesis: DEV_GENESIS, plugins: [createSeal(part)] }, part, last);
      }
    },
    LIMIT_MS,
  );

  it.skipIf(isConformanceMissing)(
    "is rejected, on a chain that others produced",
    async () => {
      const genesis = JSON.parse(readFileSync(`${BESU}/genesis.json`, "utf8"));
      const blocks = [...readBlocks(`${BESU}/chain.blocks`)].filter(
        ({ header }) => header.number > 0n,
      );

      for (const last of [3, 12, 24, 32]) {
        const plugins = [evmPlinth, consensusEthash, consensusPos];
        await tryMutations({ genesis, plugins }, blocks.slice(0, last), 100 + last);
      }
    },
    LIMIT_MS,
  );
});

interface Chain {
  readonly genesis: unknown;
  readonly plugins: readonly Plugin[];
}

/** Passes changed copies of the last block to a node that has all blocks before it. */
async function tryMutations(chain: Chain, blocks: readonly Block[], seed: number): Promise<void> {
  const last = blocks.at(-1);
  if (last === undefined) throw new Error("there is no block to change");
  await using test = await createTestNode(chain);
  const target = test.node.blocks;
  if (target === undefined) throw new Error("the node has no chain");
  for (const block of blocks.slice(0, -1)) await target.import(block, { origin: "peer" });
  const head = target.head().hash;
  const bytes = encodeBlock(last);
  const dice = createDice(seed);

  for (let count = 0; count < SHARE; count++) {
    const mutated = mutate(bytes, dice);
    if (Buffer.compare(mutated, bytes) === 0) continue;
    const error = await findRefusal(async () => {
      const { awaits } = await target.import(decodeBlock(mutated), { origin: "file" });
      // Another parent, or another time: not accepted, but not a bad block either.
      if (awaits !== undefined) throw new InvalidBlock(awaits, `the block awaits its ${awaits}`);
    });
    const isRight = [RlpError, InvalidTransaction, InvalidBlock].some(
      (kind) => error instanceof kind,
    );
    if (!isRight) throw new Error(`seed ${seed}, mutation ${count}: ${error}`, { cause: error });
    expect(target.head().hash).toBe(head);
  }

  expect((await target.import(last, { origin: "peer" })).placement).toBe("head");
  const steps = [...target.verifyBlocks(), ...target.verifyState()];
  expect(steps.flatMap(({ problems }) => problems)).toEqual([]);
}

/**
 * Stands for the seal that a development chain lacks, and is verified last, after the block was
 * executed.
 */
function createSeal(blocks: readonly Block[]): Plugin {
  const sealed = new Set(blocks.map(({ header }) => keccakHeader(header)));
  return definePlugin({
    name: "test-seal",
    setup: ({ hooks }) =>
      hooks.chain.executed.tap(({ block: { header } }) => {
        if (!sealed.has(header.hash)) throw new InvalidBlock("seal", "the block was changed");
      }),
  });
}

async function findRefusal(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
    return "it was taken";
  } catch (error) {
    return error;
  }
}

/** Transfers, a contract, a call that reverts, and all kinds in one block. */
async function makeBlocks(): Promise<readonly Block[]> {
  await using test = await createTestNode();
  const create = { data: CREATE_REVERTING, gasLimit: 200_000n };
  await test.mine([transfer(), transfer()], [create]);
  const chain = test.node.blocks;
  const call = { to: REVERTING, gasLimit: 100_000n };
  await test.mine([call], [transfer(), create, call]);
  expect(chain?.findReceipts(chain.findHeader(3n)?.hash ?? "0x")?.[0]?.status).toBe(0);
  return [1n, 2n, 3n, 4n].map((number) => {
    const block = chain?.findBlock(chain.findHeader(number)?.hash ?? "0x");
    if (block === undefined) throw new Error(`block ${number} was not made`);
    return block;
  });
}
