import type { Block, KeyValueStore, Rlp, SealedHeader } from "@plinth/core";
import { TABLES } from "@plinth/core/storage";
import { beforeAll, describe, expect, it } from "vitest";
import {
  alteredSnap,
  type Change,
  COUNT,
  createDisk,
  createWorld as createWorldOf,
  fillDisk,
  LATER,
  makeSnapChain,
  PIVOT,
  type SnapChain,
  slotOf,
  watch,
} from "../support/snap-world.js";

const ACCOUNTS = 1;
const STORAGE = 3;
const CODES = 5;
const MIB = 2 ** 20;

let chain: SnapChain;
/** The database of peers that get no further blocks. */
let served: KeyValueStore;

beforeAll(async () => {
  chain = await makeSnapChain();
  served = await fillDisk(chain, COUNT);
});

const createWorld = () => createWorldOf(chain, served);

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

  // By the code of the request, which is that before the response, and the place of the keys in it.
  it.each([
    ["codes", CODES - 1, 1],
    ["storages", STORAGE - 1, 2],
  ])("asks another peer for %s if one sends them one by one", async (_, asked, place) => {
    const world = createWorld();
    let stingy: string | undefined;
    let isAskedAgain = false;
    const peers = await Promise.all(
      ["a peer", "another"].map((name) => {
        const narrow = (code: number, request: readonly Rlp[]) => {
          const isFirst = stingy === undefined && listOf(request[place]).length > 1;
          if (code !== asked) return request;
          isAskedAgain ||= stingy === name;
          if (!isFirst) return request;
          stingy = name;
          return [...request.slice(0, -1), Buffer.of(1)];
        };
        return world.startPeer(name, { snap: alteredSnap((_, response) => response, narrow) });
      }),
    );
    const joiner = await world.createJoiner(await createDisk(), { syncMinPeers: 2 });
    const started = watch(joiner.start());

    await world.until(() => started.isOver);

    expect(joiner.blocks.oldestStates().values).toBe(PIVOT);
    expect(stingy).toBeDefined();
    expect(isAskedAgain).toBe(false);
    await joiner.stop();
    for (const peer of peers) await peer.stop();
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
    await using peer = await world.startPeer("peer", { snap, disk: await fillDisk(chain, COUNT) });
    const joiner = await world.createJoiner(await createDisk());
    const started = watch(joiner.start());
    await world.until(() => !hasState);
    await world.clock.advance(1000);
    for (const block of chain.blocks.slice(-LATER)) {
      await peer.node.blocks.import(block, { origin: "peer" });
    }
    await world.clock.advance(1000);
    hasState = true;

    await world.until(() => started.isOver);

    expect(joiner.blocks.oldestStates().values).toBe(PIVOT + BigInt(LATER));
    await joiner.stop();
  });

  it("fails if its database does not keep what it writes, although the chain has no later block", async () => {
    const world = createWorld();
    await using _peer = await world.startPeer("peer");
    const disk = await createDisk();
    const forgetful: KeyValueStore = {
      table: (name) => disk.table(name),
      snapshot: () => disk.snapshot(),
      close: () => disk.close(),
      batch() {
        const batch = disk.batch();
        return {
          put: (table, key, value) => table === TABLES.slots || batch.put(table, key, value),
          delete: (table, key) => batch.delete(table, key),
          commit: (settings) => batch.commit(settings),
        };
      },
    };
    const joiner = await world.createJoiner(forgetful);
    const starting = joiner.start();
    const started = watch(starting);

    await world.until(() => started.isOver);

    await expect(starting).rejects.toMatchObject({
      code: "JOIN_INCOMPLETE",
      message: expect.stringContaining("the last one because the database is damaged"),
    });
  });

  it("continues with the same block after it was stopped, and names it without the option", async () => {
    const world = createWorld();
    const disk = await createDisk();
    const isSilent = { value: true };
    const snap = alteredSnap((code, response) =>
      code === STORAGE && isSilent.value ? undefined : response,
    );
    await using peer = await world.startPeer("peer", { snap, disk: await fillDisk(chain, COUNT) });
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
    for (const block of chain.blocks.slice(-LATER)) {
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
    await using peer = await world.startPeer("peer", { disk: await fillDisk(chain, count) });
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
    const [, block] = chain.blocks as [Block, Block];
    const { hash } = block.header as SealedHeader;
    const genesisWith = (checkpoint: object) => ({
      ...chain.genesis,
      config: { ...chain.genesis.config, checkpoint },
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
