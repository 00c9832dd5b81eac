import {
  type Block,
  createMemoryStorageDriver,
  decodeRlp,
  definePlugin,
  encodeRlp,
  type Hash,
  type KeyValueStore,
  type ProtocolPeer,
  type Rlp,
  type Runtime,
  type SealedHeader,
  type SubProtocol,
} from "@plinth/core";
import { createNode } from "@plinth/node";
import consensusQbft from "@plinth/plugin-consensus-qbft";
import protocolEth from "@plinth/plugin-protocol-eth";
import protocolSnap from "@plinth/plugin-protocol-snap";
import syncFull from "@plinth/plugin-sync-full";
import syncSnap from "@plinth/plugin-sync-snap";
import { createTestNode, evms, FakeClock, MemoryNetwork, recordLogs } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { SNAPSHOT_CHAINS, startSnapshotNode } from "../support/snapshot-chain.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const ACCOUNTS = 1;
const STORAGE = 3;
const CODES = 5;
const MIB = 2 ** 20;
const LIMIT_MS = 20_000;
const slotOf = (number: number): Hash => `0x${number.toString(16).padStart(64, "0")}`;
const contractOf = (slots: number, code: string) => ({
  balance: "0x1",
  code,
  storage: Object.fromEntries(
    Array.from({ length: slots }, (_, index) => [slotOf(index), slotOf(index + 1)]),
  ),
});
const GENESIS = {
  ...SNAPSHOT_CHAINS.qbft,
  alloc: {
    ...SNAPSHOT_CHAINS.qbft.alloc,
    [`0x${"c0".repeat(20)}`]: contractOf(40, "0x6001"),
    [`0x${"c1".repeat(20)}`]: contractOf(30, "0x6002"),
    [`0x${"c2".repeat(20)}`]: contractOf(1, "0x6001"),
  },
};
const PIVOT = 4n;
/** Number of blocks of a peer, and of those that follow. */
const COUNT = Number(PIVOT) + 16;
const LATER = 2;

const blocks: Block[] = [];
/** The database of peers that get no further blocks. */
let served: KeyValueStore;

beforeAll(async () => {
  using folder = temporaryFolder();
  await using node = await startSnapshotNode(folder.path, "qbft", { genesis: GENESIS });
  for (let value = 1n; value <= COUNT + LATER; value++) {
    await node.add({ to: `0x${"b0".repeat(20)}`, value });
    blocks.push(node.node.node.blocks.findBlock(value) ?? expect.fail("no block"));
  }
  served = await createFilled(COUNT);
});

/** A database with blocks. */
async function createFilled(count: number): Promise<KeyValueStore> {
  const disk = await createDisk();
  await using node = await createTestNode({
    plugins: [consensusQbft, storageOn(disk)],
    options: { keyValueStorage: "disk", dataStorageFormat: "BONSAI" },
    genesis: GENESIS,
  });
  for (const block of blocks.slice(0, count)) {
    await node.node.blocks.import(block, { origin: "peer" });
  }
  return disk;
}

/** A store that survives its node, like a disk. */
function storageOn(disk: KeyValueStore) {
  return definePlugin({
    name: "storage-disk",
    setup: (node) =>
      node.storage.driver({
        name: "disk",
        open: async () => ({
          table: (name) => disk.table(name),
          batch: () => disk.batch(),
          snapshot: () => disk.snapshot(),
          close: async () => {},
        }),
      }),
  });
}

/** Changes what a peer sends; `undefined` sends nothing. */
type Change = (code: number, response: readonly Rlp[]) => Uint8Array | readonly Rlp[] | undefined;
/** Changes what a peer receives. */
type Narrow = (code: number, request: readonly Rlp[]) => readonly Rlp[];

/** The snap protocol of a peer with other responses. */
function alteredSnap(change: Change, narrow: Narrow = (_, request) => request) {
  const alter = (peer: ProtocolPeer): ProtocolPeer => ({
    ...peer,
    send(code, payload) {
      const changed = change(code, decodeRlp(payload) as readonly Rlp[]);
      if (changed === undefined) return true;
      return peer.send(code, changed instanceof Uint8Array ? changed : encodeRlp(changed));
    },
  });
  return definePlugin({
    name: "altered-snap",
    setup(node) {
      const protocol = (offered: SubProtocol<Runtime>) =>
        node.network.protocol({
          ...offered,
          connected(peer, runtime) {
            const session = offered.connected(alter(peer), runtime);
            return {
              received: (code, payload) =>
                session.received(
                  code,
                  encodeRlp(narrow(code, decodeRlp(payload) as readonly Rlp[])),
                ),
            };
          },
        });
      const network = { ...node.network, protocol };
      protocolSnap.setup({ ...node, config: { XsnapsyncServerEnabled: true }, network } as never);
    },
  });
}

const HONEST = alteredSnap((_, response) => response);

function createWorld() {
  const clock = new FakeClock(Number(blocks.at(-1)?.header.timestamp) * 1000);
  const network = new MemoryNetwork({ clock });
  const logs = recordLogs();
  const lines = () => logs.entries.map(({ message }) => message);
  /** Lets time pass until something is the case. */
  const until = async (isReached: () => boolean) => {
    const end = performance.now() + LIMIT_MS;
    while (!isReached()) {
      if (performance.now() > end) expect.fail(lines().join("\n"));
      await clock.advance(50);
    }
  };
  return {
    clock,
    lines,
    until,
    untilLine: (text: string) => until(() => lines().some((line) => line.includes(text))),
    /** A peer with blocks. */
    startPeer(name: string, { snap = HONEST, disk = served } = {}) {
      return createTestNode({
        plugins: [consensusQbft, protocolEth, snap, network.plugin(name), storageOn(disk)],
        options: { networkDriver: "memory", keyValueStorage: "disk", dataStorageFormat: "BONSAI" },
        genesis: GENESIS,
        clock,
      });
    },
    /** A node that joins; not started yet. */
    createJoiner(disk: KeyValueStore, options: object = {}, genesis: object = GENESIS) {
      return createNode({
        plugins: [
          ...[consensusQbft, protocolEth, syncFull, syncSnap, ...evms, storageOn(disk)],
          network.plugin("joiner"),
        ],
        options: {
          ...{ networkDriver: "memory", keyValueStorage: "disk", dataStorageFormat: "BONSAI" },
          ...{ syncMode: "SNAP", ...options },
        },
        genesis,
        clock,
        logs,
      });
    },
  };
}

function createDisk(): Promise<KeyValueStore> {
  return createMemoryStorageDriver().open({ folder: "" });
}

/** Changes the item at a path of lists. */
function changeAt(item: Rlp, path: readonly number[], by: (item: Rlp) => Rlp): Rlp {
  const [first, ...rest] = path;
  if (first === undefined) return by(item);
  if (item instanceof Uint8Array) return expect.fail("no list");
  return item.map((child, index) => (index === first ? changeAt(child, rest, by) : child));
}

/** A change of responses with a code. */
function changing(code: number, change: (response: readonly Rlp[]) => Rlp | undefined): Change {
  return (sent, response) =>
    sent === code ? (change(response) as readonly Rlp[] | undefined) : response;
}

const OTHER_BYTES = () => Buffer.of(0x7f);
const listOf = (item: Rlp | undefined) => (item instanceof Uint8Array ? [] : (item ?? []));

describe("a node that joins by its peers disconnects one", () => {
  it.each<[string, Change, string]>([
    [
      "with another balance",
      changing(ACCOUNTS, (response) => changeAt(response, [1, 0, 1, 1], OTHER_BYTES)),
      "its accounts are wrong",
    ],
    [
      "that omits an account",
      changing(ACCOUNTS, (response) => changeAt(response, [1], (list) => listOf(list).slice(1))),
      "its accounts are wrong",
    ],
    [
      "that sends some accounts without a proof",
      changing(ACCOUNTS, ([id = [], accounts]) => [id, listOf(accounts).slice(2), []]),
      "its accounts are wrong",
    ],
    [
      "with accounts of another state",
      changing(ACCOUNTS, ([id = [], accounts]) => [id, listOf(accounts), [OTHER_BYTES()]]),
      "its accounts are wrong",
    ],
    [
      "with another slot",
      changing(STORAGE, (response) => changeAt(response, [1, 0, 0, 1], OTHER_BYTES)),
      "its slots are wrong",
    ],
    [
      "that omits a slot",
      changing(STORAGE, (response) => changeAt(response, [1, 0], (list) => listOf(list).slice(1))),
      "its slots are wrong",
    ],
    [
      "with slots of more accounts",
      changing(STORAGE, (response) =>
        changeAt(response, [1], (list) => Array(40).fill(listOf(list)[0])),
      ),
      "it sent the slots of 40 accounts",
    ],
    [
      "with a code that was not requested",
      changing(CODES, (response) => changeAt(response, [1, 0], OTHER_BYTES)),
      "which was not requested",
    ],
    [
      "with a response that is too long",
      (code, response) => (code === ACCOUNTS ? new Uint8Array(5 * MIB) : response),
      "",
    ],
  ])("%s, and joins by another", async (_, change, reason) => {
    const world = createWorld();
    await using _hostile = await world.startPeer("hostile", { snap: alteredSnap(change) });
    const joiner = await world.createJoiner(await createDisk());
    const started = watch(joiner.start());
    if (reason !== "") await world.untilLine(reason);
    else await world.clock.advance(1000);
    await using _honest = await world.startPeer("honest");

    await world.until(() => started.isOver);

    expect(joiner.blocks.oldestStates().values).toBe(PIVOT);
    await joiner.stop();
  });
});

describe("a node that joins by its peers", () => {
  it.each<[string, Parameters<typeof alteredSnap>]>([
    ["does not respond", [(code, response) => (code === STORAGE ? undefined : response)]],
    ["does not have the state", [changing(ACCOUNTS, ([id = []]) => [id, [], []])]],
    ["sends nothing of a storage", [changing(STORAGE, ([id = []]) => [id, [], []])]],
    ["has no code", [changing(CODES, ([id = []]) => [id, []])]],
  ])("turns to another if one %s", async (_, altered) => {
    const world = createWorld();
    await using _useless = await world.startPeer("useless", { snap: alteredSnap(...altered) });
    const joiner = await world.createJoiner(await createDisk());
    const started = watch(joiner.start());
    await world.untilLine("Joining the chain at");
    await world.clock.advance(1000);
    await using _useful = await world.startPeer("useful");

    await world.until(() => started.isOver);

    expect(joiner.blocks.oldestStates().values).toBe(PIVOT);
    await joiner.stop();
  });

  it("reads a state of which it gets one account or slot at a time", async () => {
    const world = createWorld();
    const asked: number[] = [];
    // The last item is the size of the response.
    const narrow = (code: number, request: readonly Rlp[]) => {
      asked.push(code);
      return [...request.slice(0, -1), Buffer.of(1)];
    };
    const snap = alteredSnap((_, response) => response, narrow);
    await using _peer = await world.startPeer("stingy", { snap });
    const joiner = await world.createJoiner(await createDisk());
    const started = watch(joiner.start());

    await world.until(() => started.isOver);

    expect(joiner.blocks.oldestStates().values).toBe(PIVOT);
    expect(asked.length).toBeGreaterThan(60);
    await joiner.stop();
  });

  it("chooses a later block if no peer has the state any more, and removes what it had written", async () => {
    const world = createWorld();
    let hasState = true;
    let storages = 0;
    const snap = alteredSnap((code, [id = [], ...response]) => {
      if (!hasState && code !== CODES) return [id, [], []];
      if (code === STORAGE && storages++ === 0) hasState = false;
      return [id, ...response];
    });
    await using peer = await world.startPeer("peer", { snap, disk: await createFilled(COUNT) });
    const joiner = await world.createJoiner(await createDisk());
    const started = watch(joiner.start());
    await world.until(() => !hasState);
    await world.clock.advance(1000);
    for (const block of blocks.slice(-LATER)) {
      await peer.node.blocks.import(block, { origin: "peer" });
    }
    await world.clock.advance(1000);
    hasState = true;

    await world.until(() => started.isOver);

    expect(joiner.blocks.oldestStates().values).toBe(PIVOT + BigInt(LATER));
    await joiner.stop();
  });

  it("continues with the same block after it was stopped, and names it without the option", async () => {
    const world = createWorld();
    const disk = await createDisk();
    const isSilent = { value: true };
    const snap = alteredSnap((code, response) =>
      code === STORAGE && isSilent.value ? undefined : response,
    );
    await using peer = await world.startPeer("peer", { snap, disk: await createFilled(COUNT) });
    const first = await world.createJoiner(disk);
    const start = watch(first.start());
    await world.untilLine("Joining the chain at");
    await world.clock.advance(1000);
    await first.stop();
    await world.until(() => start.isOver);
    const full = await world.createJoiner(disk, { syncMode: "FULL" });
    await expect(full.start()).rejects.toThrow(
      "Start the node with the same --sync-mode=SNAP to continue",
    );
    for (const block of blocks.slice(-LATER)) {
      await peer.node.blocks.import(block, { origin: "peer" });
    }
    isSilent.value = false;

    const second = await world.createJoiner(disk);
    const started = watch(second.start());
    await world.until(() => started.isOver);

    expect(second.blocks.oldestStates().values).toBe(PIVOT);
    await second.stop();
  });

  it.each<[string, object, number, string]>([
    ["FOREST is set", { dataStorageFormat: "FOREST" }, COUNT, "every block is executed"],
    ["the chain is short", {}, 3, "The chain of the peers is short"],
  ])("executes every block if %s", async (_, options, count, line) => {
    const world = createWorld();
    await using peer = await world.startPeer("peer", { disk: await createFilled(count) });
    const joiner = await world.createJoiner(await createDisk(), options);
    const started = watch(joiner.start());
    await world.until(() => started.isOver);

    await world.until(() => joiner.blocks.head().hash === peer.node.blocks.head().hash);

    expect(joiner.blocks.oldestStates().values).toBe(0n);
    expect(world.lines().join()).toContain(line);
    await joiner.stop();
  });

  it("demands the block of a checkpoint", async () => {
    const world = createWorld();
    const [, block] = blocks as [Block, Block];
    const { hash } = block.header as SealedHeader;
    const genesisWith = (checkpoint: object) => ({
      ...GENESIS,
      config: { ...GENESIS.config, checkpoint },
    });
    await using _peer = await world.startPeer("peer");
    const options = { syncMode: "CHECKPOINT" };
    const wrong = genesisWith({ number: 2, hash: slotOf(1) });
    const refused = await world.createJoiner(await createDisk(), options, wrong);
    const refusedStart = watch(refused.start());
    await world.untilLine(`but config.checkpoint of the genesis file demands ${slotOf(1)}`);
    await refused.stop();
    await world.until(() => refusedStart.isOver);

    const right = genesisWith({ number: 2, hash, totalDifficulty: "0x2" });
    const joiner = await world.createJoiner(await createDisk(), options, right);
    const started = watch(joiner.start());
    await world.until(() => started.isOver);

    expect(joiner.blocks.oldestStates().values).toBe(PIVOT);
    await joiner.stop();
    const none = await world.createJoiner(await createDisk(), options);
    await expect(none.start()).rejects.toMatchObject({ code: "CHECKPOINT_INVALID" });
  });
});

/** Whether a promise is settled. */
function watch(promise: Promise<void>): { readonly isOver: boolean } {
  const watched = { isOver: false };
  const end = () => {
    watched.isOver = true;
  };
  promise.then(end, end);
  return watched;
}
