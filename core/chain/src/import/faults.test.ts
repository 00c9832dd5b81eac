import type { Hash, KeyValueStore, SealedBlock } from "@plinth/core";
import { createMemoryStorageDriver, definePlugin } from "@plinth/core";
import type { WriteBatch } from "@plinth/core/storage";
import { createNode } from "@plinth/node";
import { createTestNode, DEV_GENESIS, devChain, transfer } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";

const SHORT = 12;
const LONG = 16;
/** Block 0, the mark of a running node, and every block. */
const WRITES = 2 + SHORT + LONG;

/** Two branches of one chain, the longer one second, so that importing both is a reorganization. */
let branches: readonly SealedBlock[];
let best: Hash;

async function makeBranch(length: number, value: bigint): Promise<readonly SealedBlock[]> {
  await using node = await createTestNode();
  await node.mine(...Array.from({ length }, () => [transfer({ value }), transfer()]));
  const { blocks } = node.node;
  return Array.from({ length }, (_, index) => {
    const block = blocks.findBlock(BigInt(index + 1));
    if (block === undefined) throw new Error("a block was not made");
    return block;
  });
}

beforeAll(async () => {
  const long = await makeBranch(LONG, 2n);
  branches = [...(await makeBranch(SHORT, 1n)), ...long];
  best = long.at(-1)?.header.hash ?? "0x";
});

/**
 * A database that fails at one write, before or after it is done, and rejects writes from then on.
 */
function createFaultyDisk(failAt: number, isWritten: boolean) {
  let opened: Promise<KeyValueStore> | undefined;
  let writes = 0;
  let isBroken = false;
  const faulty = (batch: WriteBatch): WriteBatch => ({
    put: (...entry) => batch.put(...entry),
    delete: (...entry) => batch.delete(...entry),
    async commit(options) {
      if (isBroken) throw new Error("the disk is broken");
      isBroken = ++writes === failAt;
      if (!isBroken || isWritten) await batch.commit(options);
      if (isBroken) throw new Error("no space left on the disk");
    },
  });
  const plugin = definePlugin({
    name: "faulty-disk",
    setup: ({ storage }) =>
      storage.driver({
        name: "faulty",
        async open(place) {
          opened ??= createMemoryStorageDriver().open(place);
          const store = await opened;
          return { ...view(store), batch: () => faulty(store.batch()), close: async () => {} };
        },
      }),
  });
  const repair = () => {
    isBroken = false;
    writes = Number.NEGATIVE_INFINITY;
  };
  return { plugin, repair };
}

function view(store: KeyValueStore): Pick<KeyValueStore, "table" | "snapshot"> {
  return { table: (name) => store.table(name), snapshot: () => store.snapshot() };
}

/** Opens the chain, imports what it can, and stops; returns whether everything succeeded. */
async function run(plugin: Parameters<typeof createNode>[0]["plugins"][number]): Promise<boolean> {
  const node = await createNode({
    plugins: [plugin, ...devChain],
    options: { keyValueStorage: "faulty" },
    genesis: DEV_GENESIS,
  });
  try {
    await node.open();
    for (const block of branches) await node.blocks.import(block, { origin: "peer" });
    expect(problemsOf(node.blocks)).toEqual([]);
    expect(node.blocks.head().hash).toBe(best);
    return true;
  } catch (error) {
    expect(String(error)).toMatch(/disk/);
    return false;
  } finally {
    await node.stop();
  }
}

type Chain = NonNullable<Awaited<ReturnType<typeof createNode>>["blocks"]>;

function problemsOf(blocks: Chain | undefined) {
  const steps = blocks === undefined ? [] : [...blocks.verifyBlocks(), ...blocks.verifyState()];
  return steps.flatMap(({ problems }) => problems);
}

/** The state after a restart, before anything is imported again. */
async function inspect(plugin: Parameters<typeof run>[0]): Promise<unknown> {
  const node = await createNode({
    plugins: [plugin, ...devChain],
    options: { keyValueStorage: "faulty" },
    genesis: DEV_GENESIS,
  });
  await node.open();
  const problems = problemsOf(node.blocks);
  await node.stop();
  return problems;
}

describe("a disk that fails", () => {
  it.each([
    ["before it is done", false],
    ["after it is done", true],
  ])("at any write, %s, leaves a consistent chain that continues", async (_, isWritten) => {
    for (let failAt = 1; failAt <= WRITES; failAt++) {
      const disk = createFaultyDisk(failAt, isWritten);
      expect(await run(disk.plugin)).toBe(false);
      disk.repair();
      expect(await inspect(disk.plugin)).toEqual([]);
      expect(await run(disk.plugin)).toBe(true);
    }
  });
});
