import {
  type Address,
  type Block,
  type ConsensusEngine,
  createMemoryStorageDriver,
  defineEngine,
  definePlugin,
  getCrypto,
  type Header,
  hexToBytes,
  keccakHeader,
  loadCrypto,
  type Plugin,
  type SealedBlock,
  t,
  toHex,
} from "@plinth/core";
import type { Node } from "@plinth/node";
import { createTestNode, FakeClock } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import turns from "./index.js";
import { withSeal } from "./seal.js";

const START_MS = 1_700_000_000_000;
const PERIOD_MS = 5_000;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const ADA = new Uint8Array(32).fill(1);
const BEN = new Uint8Array(32).fill(2);
const CAT = new Uint8Array(32).fill(3);

beforeAll(async () => {
  await loadCrypto();
});

describe("an engine whose authorities take turns", () => {
  it("produces blocks in turn, signed with the node key, that the other node accepts", async () => {
    const clock = new FakeClock(START_MS);
    await using ada = await start({ key: ADA, clock });
    await using ben = await start({ key: BEN, clock });

    // Block 1 is the second authority's.
    const first = await blockOf(ben.node, 1n);
    await ada.blocks.import(first, { origin: "peer" });
    await clock.advance(PERIOD_MS);
    const second = await blockOf(ada.node, 2n);

    expect((await ben.blocks.import(second, { origin: "peer" })).placement).toBe("head");
    expect(second.header.coinbase).toBe(addressOf(ADA));
  });

  it("votes an authority in, which produces blocks from then on", async () => {
    const clock = new FakeClock(START_MS);
    await using ada = await start({ key: ADA, authorities: [ADA], clock });
    await using cat = await start({ key: CAT, authorities: [ADA], clock });
    await ada.rpc("turns_propose", [addressOf(CAT), true]);

    const first = await blockOf(ada.node, 1n);
    const before = await ada.rpc("turns_authorities");
    await clock.advance(PERIOD_MS);
    const second = await blockOf(ada.node, 2n);
    await cat.blocks.import(first, { origin: "peer" });
    await cat.blocks.import(second, { origin: "peer" });
    await clock.advance(PERIOD_MS);
    const third = await blockOf(cat.node, 3n);

    expect(first.header.extraData).toHaveLength(65);
    expect(second.header.extraData).toHaveLength(21 + 65);
    expect(before).toEqual([addressOf(ADA)]);
    expect(await cat.rpc("turns_authorities")).toEqual([addressOf(ADA), addressOf(CAT)]);
    expect((await ada.blocks.import(third, { origin: "peer" })).placement).toBe("head");
  });

  it("has one hash for two seals of one block", async () => {
    const [block] = await makeBlocks(1);
    await using other = await start({ authorities: [ADA] });
    const twin = { ...block, header: { ...block.header, extraData: otherSeal(block) } };

    expect((await other.blocks.import(twin, { origin: "peer" })).placement).toBe("head");
    expect((await other.blocks.import(block, { origin: "peer" })).placement).toBe("known");
  });

  it.each<[string, (block: Block) => Block]>([
    ["out-of-turn", (block) => resealed(block, {}, BEN)],
    [
      "seal",
      ({ header, body }) => ({ header: { ...header, extraData: new Uint8Array(65) }, body }),
    ],
    ["extra-data", (block) => resealed(block, { extraData: new Uint8Array(7) })],
    ["too-early", (block) => resealed(block, { timestamp: 1n })],
    ["difficulty", (block) => resealed(block, { difficulty: 2n })],
  ])("rejects by the rule %s", async (rule, change) => {
    const [block] = await makeBlocks(1);
    await using other = await start({ authorities: [ADA] });

    await expect(other.blocks.import(change(block), { origin: "peer" })).rejects.toMatchObject({
      rule,
    });
  });

  it("follows the longer branch, and restores it after a restart", async () => {
    const short = await makeBlocks(2, START_MS);
    const long = await makeBlocks(3, START_MS + 1000);
    const plugins = [createKeptStorage()];
    const placements: string[] = [];
    {
      await using other = await start({ authorities: [ADA], plugins });
      for (const block of [...short, ...long]) {
        placements.push((await other.blocks.import(block, { origin: "peer" })).placement);
      }
    }

    await using again = await start({ authorities: [ADA], plugins });

    expect(placements).toEqual(["head", "head", "side", "side", "head"]);
    expect(again.blocks.head().hash).toBe(long[2]?.header.hash);
    expect([...again.blocks.verifyBlocks()].flatMap(({ problems }) => problems)).toEqual([]);
    for (const { header } of [...short, ...long]) {
      expect(again.blocks.findBlock(header.hash)?.header).toEqual(header);
    }
  });

  it("never signs two blocks with one number, not even after a restart", async () => {
    const plugins = [createKeptStorage()];
    const clock = new FakeClock(START_MS);
    const settings = { key: ADA, authorities: [ADA], clock, plugins };
    let first: SealedBlock;
    {
      await using ada = await start(settings);
      first = await blockOf(ada.node, 1n);
      await ada.blocks.setHead(first.header.parentHash);
    }
    await clock.advance(10 * PERIOD_MS);

    await using again = await start(settings);
    await clock.advance(10 * PERIOD_MS);
    await settle();

    expect(again.blocks.head().number).toBe(0n);
    expect((await again.blocks.import(first, { origin: "peer" })).placement).toBe("head");
  });

  it("changes its period at a transition block", async () => {
    const clock = new FakeClock(START_MS);
    const transitions = { TURNS: [{ block: 2, periodseconds: 1 }] };
    await using ada = await start({ key: ADA, authorities: [ADA], clock, config: { transitions } });

    const first = await blockOf(ada.node, 1n);
    await clock.advance(1000);
    const second = await blockOf(ada.node, 2n);

    expect(second.header.timestamp - first.header.timestamp).toBe(1n);
  });

  it("is replaced at a block although this node proposes nothing", async () => {
    const blocks = await makeBlocks(2);
    const solo = createSoloEngine();
    await using watcher = await start({
      authorities: [ADA],
      plugins: [solo.plugin],
      config: { solo: { startBlock: 3 } },
    });

    for (const block of blocks) {
      expect(solo.began).toEqual([]);
      await watcher.blocks.import(block, { origin: "peer" });
    }
    await settle();

    expect(solo.began).toEqual([2n]);
  });
});

/** An engine that follows `turns`, and records on which head it starts to produce. */
function createSoloEngine() {
  const began: bigint[] = [];
  const engine: ConsensusEngine = {
    finality: "instant",
    hashHeader: keccakHeader,
    author: ({ coinbase }) => coinbase,
    feeRecipient: ({ coinbase }) => coinbase,
    verifyHeader: () => {},
    prepareHeader: (draft) => draft,
    produce: async ({ head }) => void began.push(head().number),
  };
  const plugin = definePlugin({
    name: "consensus-solo",
    setup: ({ consensus }) =>
      consensus.engine(
        defineEngine({
          key: "solo",
          settings: t.object({ startBlock: t.integer({ min: 0 }) }),
          startBlock: ({ startBlock }) => BigInt(startBlock),
          create: () => engine,
        }),
      ),
  });
  return { plugin, began };
}

interface Start {
  readonly key?: Uint8Array;
  readonly authorities?: readonly Uint8Array[];
  readonly clock?: FakeClock;
  readonly plugins?: readonly Plugin[];
  readonly config?: object;
}

async function start({ key, authorities = [ADA, BEN], clock, plugins = [], config }: Start) {
  const isKept = plugins.some(({ name }) => name === "storage-kept");
  const { node, rpc } = await createTestNode({
    plugins: [turns, ...plugins],
    options: { keyValueStorage: isKept ? "kept" : "memory" },
    ...(key === undefined ? {} : { key: toHex(key) }),
    genesis: {
      config: {
        chainId: 1337,
        londonBlock: 0,
        turns: { periodSeconds: 5, authorities: authorities.map(addressOf) },
        ...config,
      },
      gasLimit: "0x1c9c380",
      difficulty: "0x1",
    },
    clock: clock ?? new FakeClock(START_MS),
  });
  return { node, blocks: node.blocks, rpc, [Symbol.asyncDispose]: () => node.stop() };
}

/** Blocks of a chain with one authority; another time makes another branch. */
async function makeBlocks<N extends number>(count: N, now = START_MS): Promise<Blocks> {
  const clock = new FakeClock(now);
  await using ada = await start({ key: ADA, authorities: [ADA], clock });
  const blocks: SealedBlock[] = [];
  for (let number = 1n; number <= count; number++) {
    blocks.push(await blockOf(ada.node, number));
    await clock.advance(PERIOD_MS);
  }
  return blocks as unknown as Blocks;
}

type Blocks = readonly [SealedBlock, ...SealedBlock[]];

/** Waits for a block; production runs by itself. */
async function blockOf({ blocks }: Node, number: bigint): Promise<SealedBlock> {
  for (;;) {
    const header = blocks.findHeader(number);
    const block = header && blocks.findBlock(header.hash);
    if (block !== undefined) return block;
    await settle();
  }
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A store that survives its node. */
function createKeptStorage(): Plugin {
  const kept = createMemoryStorageDriver().open({ folder: "" });
  return definePlugin({
    name: "storage-kept",
    setup: ({ storage }) =>
      storage.driver({
        name: "kept",
        async open() {
          const store = await kept;
          return {
            table: (name) => store.table(name),
            snapshot: () => store.snapshot(),
            batch: () => store.batch(),
            close: async () => {},
          };
        },
      }),
  });
}

function resealed({ header, body }: Block, change: Partial<Header>, key = ADA): Block {
  const unsealed = { ...header, extraData: new Uint8Array(), ...change };
  const signature = getCrypto().sign(hexToBytes(keccakHeader(unsealed)), key);
  return { header: withSeal(unsealed, signature), body };
}

/** The other signature of the same author: with the negative `s` and the other parity. */
function otherSeal({ header: { extraData } }: Block): Uint8Array {
  const s = ORDER - BigInt(toHex(extraData.slice(32, 64)));
  const bytes = hexToBytes(s.toString(16).padStart(64, "0"));
  return Uint8Array.of(...extraData.slice(0, 32), ...bytes, 1 - (extraData[64] ?? 0));
}

function addressOf(key: Uint8Array): Address {
  return getCrypto().addressOf(getCrypto().publicKeyOf(key));
}
