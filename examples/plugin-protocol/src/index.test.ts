import { createMemoryStorageDriver, definePlugin, type KeyValueStore } from "@plinth/core";
import { createTestNode, FakeClock, MemoryNetwork, type TestNode } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import notes from "./index.js";

/** Nodes with the plugin on one network; time advances only with `clock.advance`. */
function createNetwork(conditions: object = {}) {
  const clock = new FakeClock(1_700_000_000_000);
  const network = new MemoryNetwork({ clock, ...conditions });
  const disks = new Map<string, KeyValueStore>();
  const start = (name: string) =>
    createTestNode({
      plugins: [notes, network.plugin(name), diskOf(name, disks)],
      options: { networkDriver: "memory", keyValueStorage: "disk" },
      clock,
    });
  return { clock, network, start };
}

/** A store that survives its node, like a disk. */
function diskOf(name: string, disks: Map<string, KeyValueStore>) {
  return definePlugin({
    name: "storage-disk",
    setup: ({ storage }) =>
      storage.driver({
        ...createMemoryStorageDriver(),
        name: "disk",
        async open(place) {
          const store = disks.get(name) ?? (await createMemoryStorageDriver().open(place));
          disks.set(name, store);
          return { ...bound(store), close: async () => {} };
        },
      }),
  });
}

function bound(store: KeyValueStore): KeyValueStore {
  return {
    table: (table) => store.table(table),
    batch: () => store.batch(),
    snapshot: () => store.snapshot(),
    close: () => store.close(),
  };
}

const list = (node: TestNode) => node.rpc("notes_list");
const peersOf = (node: TestNode) => node.node.network?.peers().length;

describe("notes", () => {
  it("reach a connected peer, and one that connects later", async () => {
    const { clock, start } = createNetwork();
    await using alice = await start("alice");
    await alice.rpc("notes_add", ["first"]);
    await using bob = await start("bob");
    await clock.advance(5_000);

    await bob.rpc("notes_add", ["second"]);
    await clock.advance(10);

    expect(await list(bob)).toEqual(["first", "second"]);
    expect(await list(alice)).toEqual(["first", "second"]);
  });

  it("do not cross a partition, and do when it has healed", async () => {
    const { clock, network, start } = createNetwork({ delayMs: 50, jitterMs: 20 });
    await using alice = await start("alice");
    await using bob = await start("bob");
    await clock.advance(5_000);
    expect([peersOf(alice), peersOf(bob)]).toEqual([1, 1]);

    network.partition(["alice"], ["bob"]);
    await alice.rpc("notes_add", ["from alice"]);
    await bob.rpc("notes_add", ["from bob"]);
    await clock.advance(20_000);
    expect([peersOf(alice), peersOf(bob)]).toEqual([1, 1]);
    expect(await list(alice)).toEqual(["from alice"]);
    expect(await list(bob)).toEqual(["from bob"]);
    await clock.advance(20_000);
    expect([peersOf(alice), peersOf(bob)]).toEqual([0, 0]);

    network.heal();
    await clock.advance(70_000);
    expect([peersOf(alice), peersOf(bob)]).toEqual([1, 1]);
    expect(await list(alice)).toEqual(["from alice", "from bob"]);
    expect(await list(bob)).toEqual(["from bob", "from alice"]);
  });

  it("survive a crash of their node", async () => {
    const { clock, network, start } = createNetwork();
    await using alice = await start("alice");
    const dropped = await start("bob");
    await clock.advance(5_000);
    await dropped.rpc("notes_add", ["before the crash"]);
    await clock.advance(10);

    network.crash("bob");
    await clock.advance(10);
    expect(peersOf(alice)).toBe(0);
    await alice.rpc("notes_add", ["meanwhile"]);
    await using bob = await start("bob");
    expect(await list(bob)).toEqual(["before the crash"]);
    await clock.advance(70_000);

    expect(peersOf(alice)).toBe(1);
    expect(await list(bob)).toEqual(["before the crash", "meanwhile"]);
    await dropped.stop();
    expect(peersOf(alice)).toBe(1);
  });

  it("reach all of twelve nodes with three peers each, over a network that loses a tenth", async () => {
    const { clock, network, start } = createNetwork({ seed: 7, loss: 0.1, maxPeers: 3 });
    const nodes = await Promise.all(Array.from({ length: 12 }, (_, n) => start(`node-${n}`)));
    await clock.advance(30_000);
    expect(nodes.every((node) => (peersOf(node) ?? 0) <= 3)).toBe(true);

    await nodes[0]?.rpc("notes_add", ["to all"]);
    await clock.advance(1_000);
    // Lost notes are sent again to a peer that reconnects.
    network.partition();
    await clock.advance(31_000);
    network.heal();
    await clock.advance(90_000);

    for (const node of nodes) expect(await list(node)).toEqual(["to all"]);
    await Promise.all(nodes.map((node) => node.stop()));
  });

  it.each([
    ["a note that is too long", `0x${"f90104b90101"}${"61".repeat(257)}`],
    ["no list", "0x80"],
    ["a list in a list", "0xc1c0"],
    ["invalid UTF-8", "0xc281ff"],
    ["invalid RLP", "0xff"],
  ])("disconnect a peer that sends %s", async (_, payload) => {
    const clock = new FakeClock();
    const network = new MemoryNetwork({ clock });
    const ends: string[] = [];
    const rude = definePlugin({
      name: "rude",
      setup: ({ network: { protocol }, hooks }) => {
        protocol({
          name: "notes",
          version: 1,
          length: 1,
          connected(peer) {
            peer.send(0, Buffer.from(payload.slice(2), "hex"));
            return { received() {} };
          },
        });
        hooks.network.disconnected.tap(({ reason, byPeer }) => {
          ends.push(`${reason}${byPeer ? " by peer" : ""}`);
        });
      },
    });
    const options = { networkDriver: "memory" };
    await using alice = await createTestNode({
      plugins: [notes, network.plugin("alice")],
      options,
      clock,
    });
    await using mallory = await createTestNode({
      plugins: [rude, network.plugin("mallory")],
      options,
      clock,
    });

    await clock.advance(1_100);

    expect(ends[0]).toBe("breach-of-protocol by peer");
    expect(await list(alice)).toEqual([]);
    expect(mallory.node.network?.isEnabled).toBe(true);
  });
});
