import {
  createMemoryStorageDriver,
  definePlugin,
  hexToBytes,
  type KeyValueStore,
  type Plugin,
} from "@plinth/core";
import { type Logs, silentLogs } from "@plinth/core/kernel";
import protocolEth from "@plinth/plugin-protocol-eth";
import syncFull from "@plinth/plugin-sync-full";
import {
  BOB,
  createInside,
  createTestNode,
  FakeClock,
  MemoryNetwork,
  recordLogs,
  signTransaction,
  type TestNode,
  transfer,
} from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { pruneBlocks } from "../support/prune-blocks.js";

function createNetwork(conditions: object = {}) {
  const clock = new FakeClock(1_700_000_000_000);
  const network = new MemoryNetwork({ clock, ...conditions });
  const start = (
    name: string,
    disk?: KeyValueStore,
    plugins: readonly Plugin[] = [],
    logs: Logs = silentLogs,
  ) =>
    createTestNode({
      plugins: [protocolEth, syncFull, network.plugin(name), ...plugins, storageOn(disk)],
      options: { networkDriver: "memory", keyValueStorage: "disk" },
      clock,
      logs,
    });
  return { clock, network, start };
}

/** A store that survives its node, like a disk. */
function storageOn(disk: KeyValueStore | undefined) {
  const { open } = createMemoryStorageDriver();
  return definePlugin({
    name: "storage-disk",
    setup: ({ storage }) =>
      storage.driver({
        name: "disk",
        async open(place) {
          if (disk === undefined) return open(place);
          return {
            table: (name) => disk.table(name),
            batch: () => disk.batch(),
            snapshot: () => disk.snapshot(),
            close: async () => {},
          };
        },
      }),
  });
}

const headOf = (node: TestNode) => node.node.blocks.head();

async function mineEmpty(node: TestNode, count: number): Promise<void> {
  for (let made = 0; made < count; made++) await node.mine([]);
}

/** Delays every block by a tenth of a second, so that a synchronization can be observed. */
const slowImports = definePlugin({
  name: "slow-imports",
  setup: ({ hooks }) => hooks.chain.verifyBlock.tap(async (_event, { clock }) => clock.sleep(100)),
});

/** A database with three blocks, of which the bodies of the first two were removed. */
async function createPruned(
  start: ReturnType<typeof createNetwork>["start"],
): Promise<KeyValueStore> {
  const disk = await createMemoryStorageDriver().open({ folder: "" });
  await using node = await start("pruned", disk);
  await node.mine([transfer()], [transfer()], [transfer()]);
  await pruneBlocks(disk, 3n);
  return disk;
}

describe("full synchronization", () => {
  it("fetches and executes the chain of a peer", async () => {
    const { clock, start } = createNetwork();
    await using alice = await start("alice");
    await mineEmpty(alice, 420);
    await alice.mine([transfer()], [transfer(), transfer()]);
    await using bob = await start("bob");

    await clock.advance(20_000);

    expect(headOf(bob)).toEqual(headOf(alice));
    expect(bob.node.blocks.hasState(headOf(bob))).toBe(true);
  });

  it("fetches bodies that one peer has removed from another", async () => {
    const { clock, start } = createNetwork();
    await using whole = await start("whole");
    const disk = await createMemoryStorageDriver().open({ folder: "" });
    const copy = await start("pruned", disk);
    await whole.mine([transfer()], [transfer()], [transfer()]);
    await clock.advance(20_000);
    await copy.stop();
    await pruneBlocks(disk, 3n);
    await using pruned = await start("pruned", disk);
    await using carol = await start("carol");

    await clock.advance(20_000);

    expect(headOf(pruned)).toEqual(headOf(whole));
    expect(headOf(carol)).toEqual(headOf(whole));
    expect(carol.node.network?.peers()).toHaveLength(2);
  });

  it("waits for a peer with bodies that all others have removed, and logs it once", async () => {
    const { clock, start } = createNetwork();
    await using _pruned = await start("pruned", await createPruned(start));
    const logs = recordLogs();
    await using carol = await start("carol", undefined, [], logs);

    await clock.advance(100_000);

    expect(headOf(carol).number).toBe(0n);
    const warnings = logs.entries.filter(({ message }) => message.includes("delivers the body of"));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.message).toContain("block 1: they may have removed old ones");
    expect(carol.node.network?.peers()).toHaveLength(1);
  });

  it("follows new blocks as they are produced", async () => {
    const { clock, start } = createNetwork();
    await using alice = await start("alice");
    await using bob = await start("bob");
    await using carol = await start("carol");
    await clock.advance(5_000);

    await alice.mine([transfer()]);
    await bob.node.blocks.head();
    await clock.advance(100);

    expect(headOf(bob)).toEqual(headOf(alice));
    expect(headOf(carol)).toEqual(headOf(alice));
  });

  it("switches to a longer chain after a partition", async () => {
    const { clock, network, start } = createNetwork();
    await using alice = await start("alice");
    await using bob = await start("bob");
    await clock.advance(5_000);
    await alice.mine([transfer()]);
    await clock.advance(100);
    network.partition(["alice"], ["bob"]);
    await mineEmpty(alice, 5);
    await mineEmpty(bob, 7);
    await clock.advance(40_000);

    network.heal();
    await clock.advance(60_000);

    expect(headOf(alice)).toEqual(headOf(bob));
    expect(headOf(alice).number).toBe(8n);
  });

  it("completes although messages are late and one in fifty is lost", async () => {
    const { clock, start } = createNetwork({ delayMs: 100, jitterMs: 20, loss: 0.02, seed: 5 });
    await using alice = await start("alice");
    await mineEmpty(alice, 450);
    await alice.mine([transfer()]);
    await using bob = await start("bob");

    await clock.advance(300_000);

    expect(headOf(bob)).toEqual(headOf(alice));
  });

  it("continues where a crash interrupted it", async () => {
    const { clock, start } = createNetwork({ delayMs: 200 });
    const disk = await createMemoryStorageDriver().open({ folder: "" });
    await using alice = await start("alice");
    for (let made = 0; made < 250; made++) await alice.mine([transfer()]);
    const bob = await start("bob", disk);
    while (headOf(bob).number === 0n) await clock.advance(100);
    await bob.stop();
    const reached = headOf(bob).number;
    await using again = await start("bob", disk);
    expect(headOf(again).number).toBeGreaterThanOrEqual(reached);

    await clock.advance(60_000);

    expect(headOf(again)).toEqual(headOf(alice));
  });

  it("produces no blocks while it is behind", async () => {
    const { clock, start } = createNetwork({ delayMs: 400 });
    await using alice = await start("alice");
    await mineEmpty(alice, 60);
    const { plugin, runtime } = createInside();
    await using bob = await start("bob", undefined, [plugin, slowImports]);
    while (!runtime().sync.isSyncing) await clock.advance(50);

    await runtime().pool.submit(hexToBytes(await signTransaction({ to: BOB })));
    await clock.advance(500);
    expect(bob.node.blocks.findBlock(headOf(bob).hash)?.body.transactions).toEqual([]);
    expect(runtime().sync.isSyncing).toBe(true);
    await clock.advance(60_000);

    expect(headOf(bob).number).toBeGreaterThan(60n);
    expect(bob.node.blocks.findHeader(60n)).toEqual(alice.node.blocks.findHeader(60n));
  });
});
