import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Address, ConsensusEngine, Hash, HeadChanged, KeyValueStore } from "@plinth/core";
import {
  type Block,
  createMemoryStorageDriver,
  decodeRlp,
  encodeBlock,
  FutureBlock,
  type Header,
  InvalidBlock,
  keccakHeader,
  loadCrypto,
  yieldToLoop,
} from "@plinth/core";
import { blockFromRlp } from "@plinth/core/blocks";
import type { WorldState } from "@plinth/core/evm";
import { FORKS, type Fork } from "@plinth/core/evm";
import { readForks } from "@plinth/core/rules";
import type { WriteBatch } from "@plinth/core/storage";
import { createTestEvm, FakeClock } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { buildGenesisBlock } from "../genesis/genesis-block.js";
import { StateStore } from "../state/state-store.js";
import { ChainStore } from "../store/chain-store.js";
import { MAX_QUEUED } from "./import-queue.js";
import { Importer } from "./importer.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const folder = process.env.PLINTH_CONFORMANCE ?? `${root}/../shared/conformance`;
const isMissing = process.env.PLINTH_CONFORMANCE === undefined && !existsSync(folder);

beforeAll(async () => {
  await loadCrypto();
});

describe.skipIf(isMissing)("blocks produced by others", () => {
  it.each([
    ["from Frontier on, then of Shanghai and Cancun", "besu-chain", "chain.blocks", 34],
    ["of Istanbul, full of failing calls", "besu-trace-chain", "chain.blocks", 33],
    ["of Cancun, with blobs", "execution-apis-cancun", "chain.rlp", 20],
    ["from Homestead to Osaka", "execution-apis-latest", "chain.rlp", 54],
  ])("%s are imported, executed and stored", async (_, name, file, last) => {
    const json = JSON.parse(readFileSync(`${folder}/${name}/genesis.json`, "utf8"));
    const { importer, store } = await openChain(json);
    const blocks = [...readBlocks(`${folder}/${name}/${file}`)].filter(
      ({ header }) => header.number > 0n && header.number <= BigInt(last),
    );

    for (const block of blocks) await importer.import(block, { origin: "peer" });

    const chain = new ChainStore(store);
    expect(chain.findHead()?.number).toBe(BigInt(last));
    for (const block of blocks) {
      const hash = chain.findHash(block.header.number) ?? "0x";
      expect(encodeBlock(chain.findBlock(hash) ?? block)).toEqual(encodeBlock(block));
      expect(chain.findReceipts(hash)).toHaveLength(block.body.transactions.length);
      for (const [index, transaction] of block.body.transactions.entries()) {
        expect(chain.findTransaction(transaction.hash)).toEqual({ blockHash: hash, index });
      }
    }
  });
});

describe("importing", () => {
  it("moves the head to the heavier branch and updates the index", async () => {
    const { importer, store, genesis, make } = await openChain(GENESIS);
    const a1 = make(genesis, MINERS[0]);
    const a2 = make(a1.header, MINERS[0]);
    const b1 = make(genesis, MINERS[1]);
    const b2 = make(b1.header, MINERS[1]);
    const b3 = make(b2.header, MINERS[1]);
    await importer.import(a1, { origin: "peer" });
    await importer.import(a2, { origin: "peer" });

    const placements = [];
    for (const block of [b1, b2, b3])
      placements.push(await importer.import(block, { origin: "peer" }));

    expect(placements.map(({ placement }) => placement)).toEqual(["side", "side", "head"]);
    const hashes = (blocks: readonly Block[]) => blocks.map(({ header }) => keccakHeader(header));
    expect(hashes(placements[2]?.removed ?? [])).toEqual(hashes([a2, a1]));
    expect(hashes(placements[2]?.added ?? [])).toEqual(hashes([b1, b2, b3]));
    const chain = new ChainStore(store);
    expect([1n, 2n, 3n].map((number) => chain.findHash(number))).toEqual(hashes([b1, b2, b3]));
    expect(chain.findBlock(keccakHeader(a2.header))).toBeDefined();
  });

  it("keeps the head if a branch is as heavy as the chain", async () => {
    const { importer, genesis, make } = await openChain(GENESIS);
    await importer.import(make(genesis, MINERS[0]), { origin: "peer" });

    const { placement } = await importer.import(make(genesis, MINERS[1]), { origin: "peer" });

    expect(placement).toBe("side");
  });

  it("imports a block once and blocks one at a time", async () => {
    const { importer, genesis, make } = await openChain(GENESIS);
    const first = make(genesis, MINERS[0]);
    const second = make(first.header, MINERS[0]);

    const results = await Promise.all(
      [first, second, first].map((block) => importer.import(block, { origin: "peer" })),
    );

    expect(results.map(({ placement }) => placement)).toEqual(["head", "head", "known"]);
  });

  it.each<[string, (block: Block) => Partial<Header>]>([
    ["number", () => ({ number: 7n })],
    ["transactions-root", () => ({ transactionsRoot: `0x${"12".repeat(32)}` })],
    ["uncles-hash", () => ({ unclesHash: `0x${"12".repeat(32)}` })],
    ["gas-limit", () => ({ gasLimit: 0x1000000n + 0x4000n })],
    ["base-fee", () => ({ baseFeePerGas: 0n })],
    ["gas-used", () => ({ gasUsed: 1n })],
    ["logs-bloom", () => ({ logsBloom: new Uint8Array(256).fill(1) })],
    ["receipts-root", () => ({ receiptsRoot: `0x${"12".repeat(32)}` })],
    ["state-root", () => ({ stateRoot: `0x${"12".repeat(32)}` })],
  ])("rejects a block whose %s is wrong and leaves the chain unchanged", async (rule, change) => {
    const { importer, store, genesis, make } = await openChain(GENESIS);
    const block = make(genesis, MINERS[0]);

    const wrong = { ...block, header: { ...block.header, ...change(block) } };

    await expect(importer.import(wrong, { origin: "peer" })).rejects.toMatchObject({
      code: "BLOCK_INVALID",
      rule,
    });
    expect(new ChainStore(store).findHead()?.number).toBe(0n);
    expect((await importer.import(block, { origin: "peer" })).placement).toBe("head");
  });

  it("rejects a block with withdrawals that its header does not commit to", async () => {
    const { importer, genesis, make } = await openChain(GENESIS);
    const block = make(genesis, MINERS[0]);

    const wrong = { ...block, body: { ...block.body, withdrawals: [] } };

    await expect(importer.import(wrong, { origin: "peer" })).rejects.toMatchObject({
      rule: "withdrawals-root",
    });
  });

  it("lets the engine verify the whole block, with its ancestors", async () => {
    const { genesis, make, settings } = await openChain(GENESIS);
    const seen: unknown[] = [];
    const engine: ConsensusEngine = {
      ...proofOfWork,
      verifyBlock: ({ header, body }, parent, chain) => {
        seen.push(body.uncles, chain.findBlock(header.parentHash)?.header.hash === parent.hash);
        throw new InvalidBlock("uncles", "not today");
      },
    };
    const block = make(genesis, MINERS[0]);

    await expect(
      new Importer({ ...settings, engine }).import(block, { origin: "peer" }),
    ).rejects.toMatchObject({
      rule: "uncles",
    });
    expect(seen).toEqual([[], true]);
  });

  it("moves the head to a known block as it was verified, not as it arrives again", async () => {
    const { importer, genesis, make } = await openChain(GENESIS);
    const block = make(genesis, MINERS[0]);
    await importer.import(block, { origin: "peer" });
    await importer.setHead(genesis.hash);

    const forged = { ...block, body: { ...block.body, uncles: [withoutHash(genesis)] } };
    const { added } = await importer.import(forged, { origin: "peer" });

    expect(added.map(({ body }) => body.uncles)).toEqual([[]]);
  });

  it("continues from the stored chain", async () => {
    const { importer, store, genesis, make } = await openChain(GENESIS);
    const first = make(genesis, MINERS[0]);
    await importer.import(first, { origin: "peer" });

    const again = await openChain(GENESIS, store);
    const { placement } = await again.importer.import(again.make(first.header, MINERS[1]), {
      origin: "peer",
    });

    expect(placement).toBe("head");
    expect(new ChainStore(store).findHead()?.number).toBe(2n);
  });

  it("rejects a database of another chain", async () => {
    const { store } = await openChain(GENESIS);

    await expect(openChain({ ...GENESIS, extraData: "0x01" }, store)).rejects.toMatchObject({
      code: "GENESIS_MISMATCH",
    });
  });

  it("leaves the head unchanged if the batch cannot be written", async () => {
    const { store, genesis, make, settings } = await openChain(GENESIS);
    const full = {
      table: (name: string) => store.table(name),
      snapshot: () => store.snapshot(),
      close: () => store.close(),
      batch: () => ({ ...emptyBatch(), commit: () => Promise.reject(new Error("disk full")) }),
    };
    const block = make(genesis, MINERS[0]);

    await expect(
      new Importer({ ...settings, store: full }).import(block, { origin: "peer" }),
    ).rejects.toThrow("disk full");

    expect(new ChainStore(store).findHead()?.number).toBe(0n);
    expect((await new Importer(settings).import(block, { origin: "peer" })).placement).toBe("head");
  });
});

describe("deferred blocks", () => {
  it("of peers are imported once their parents are", async () => {
    const { importer, store, genesis, make } = await openChain(GENESIS);
    const first = make(genesis, MINERS[0]);
    const second = make(first.header, MINERS[0]);
    const third = make(second.header, MINERS[0]);

    const results = await Promise.all(
      [third, second].map((block) => importer.import(block, { origin: "peer" })),
    );
    await importer.import(first, { origin: "sync" });
    await quiet(importer);

    expect(results).toMatchObject([
      { placement: "deferred", awaits: "parent" },
      { placement: "deferred", awaits: "parent" },
    ]);
    expect(new ChainStore(store).findHead()?.number).toBe(3n);
    expect(importer.badBlocks.all()).toEqual([]);
  });

  it.each<[string, (block: Block) => Block]>([
    ["body", ({ header, body }) => ({ header, body: { ...body, withdrawals: [] } })],
    ["seal", ({ header, body }) => ({ header: { ...header, extraData: WRONG_SEAL }, body })],
  ])("are not replaced by one with the same hash and another %s", async (_, forge) => {
    const { genesis, make, settings, store } = await openChain(GENESIS);
    const importer = new Importer({ ...settings, engine: sealed });
    const first = make(genesis, MINERS[0]);
    const second = make(first.header, MINERS[0]);

    await importer.import(second, { origin: "peer" });
    await importer.import(forge(second), { origin: "peer" }).catch(() => {});
    await importer.import(first, { origin: "peer" });
    await quiet(importer);

    expect(new ChainStore(store).findHead()?.number).toBe(2n);
  });

  it("are no longer stored once the chain is closed", async () => {
    const clock = new FakeClock(0);
    const { genesis, make, settings, store } = await openChain(GENESIS);
    const engine: ConsensusEngine = {
      ...proofOfWork,
      verifyHeader(header) {
        if (clock.now() < 20_000) throw new FutureBlock({ ...header, timestamp: 20n }, 0n);
      },
    };
    const importer = new Importer({ ...settings, engine, clock });

    const underWay = importer.import(make(genesis, MINERS[0]), { origin: "peer" });
    importer.close();
    await underWay;
    await clock.advance(30_000);
    await quiet(importer);

    expect(new ChainStore(store).findHead()?.number).toBe(0n);
  });

  it("from files are not", async () => {
    const { importer, store, genesis, make } = await openChain(GENESIS);
    const first = make(genesis, MINERS[0]);
    const second = make(first.header, MINERS[0]);

    const { placement } = await importer.import(second, { origin: "file" });
    await importer.import(first, { origin: "file" });
    await quiet(importer);

    expect(placement).toBe("deferred");
    expect(new ChainStore(store).findHead()?.number).toBe(1n);
  });

  it.each([
    ["are imported at their time", 20n, "head"],
    ["are dropped if that is too far away", 1000n, "side"],
  ])("from the future %s", async (_, timestamp, expected) => {
    const clock = new FakeClock(0);
    const { genesis, make, settings, store } = await openChain(GENESIS);
    const engine: ConsensusEngine = {
      ...proofOfWork,
      verifyHeader(header) {
        if (clock.now() < Number(timestamp) * 1000)
          throw new FutureBlock({ ...header, timestamp }, 0n);
      },
    };
    const importer = new Importer({ ...settings, engine, clock });
    const block = make(genesis, MINERS[0]);

    const { placement, awaits } = await importer.import(block, { origin: "peer" });
    await clock.advance(2_000_000);
    await quiet(importer);

    expect([placement, awaits]).toEqual(["deferred", "time"]);
    expect(importer.badBlocks.all()).toEqual([]);
    expect(new ChainStore(store).findHead()?.number).toBe(expected === "head" ? 1n : 0n);
  });
});

const SCHEDULES = Number(process.env.PLINTH_IMPORT_SCHEDULES ?? 120);

it(`keeps order, bound and every block in ${SCHEDULES} random schedules`, async () => {
  const random = new Random(19);
  for (let schedule = 0; schedule < SCHEDULES; schedule++) await runSchedule(random);
});

/**
 * Imports a random tree of blocks from three origins in random order, some of them aborted and sent
 * again.
 */
async function runSchedule(random: Random): Promise<void> {
  const moves: HeadChanged[] = [];
  let underWay = 0;
  const headMoved = async (change: HeadChanged) => {
    underWay += 1;
    expect(underWay).toBe(1);
    moves.push(change);
    for (let turns = random.below(3); turns > 0; turns--) await yieldToLoop();
    underWay -= 1;
  };
  const { genesis, make, settings, store } = await openChain(GENESIS);
  const importer = new Importer({ ...settings, headMoved });
  const blocks: Block[] = [];
  for (let count = 2 + random.below(14); count > 0; count--) {
    const parent = random.below(4) === 0 ? random.pick(blocks) : blocks.at(-1);
    const miner = `0x${(blocks.length + 1).toString(16).padStart(40, "0")}` as const;
    blocks.push(make(parent?.header ?? genesis, miner));
  }
  const sent = random.shuffle(blocks).map(async (block) => {
    const control = new AbortController();
    const origin = random.pick(["peer", "sync", "file"] as const) ?? "peer";
    const result = importer
      .import(block, { origin, signal: control.signal })
      .then(({ placement, awaits }) => (origin === "file" && awaits ? "abort" : placement))
      .catch((error: unknown) => {
        if (!control.signal.aborted) throw error;
        return "abort";
      });
    if (random.below(4) === 0) await yieldToLoop();
    if (random.below(5) === 0) control.abort();
    expect(importer.queue.size).toBeLessThanOrEqual(MAX_QUEUED);
    return (await result) === "abort" ? [block] : [];
  });
  const lost = (await Promise.all(sent)).flat();
  for (const block of lost) await importer.import(block, { origin: "sync" });
  await quiet(importer);

  const chain = new ChainStore(store);
  for (const { header } of blocks) expect(chain.findHeader(keccakHeader(header))).toBeDefined();
  verifyMoves(moves, genesis.hash, chain.findHead()?.hash);
  const highest = blocks.reduce(
    (most, { header }) => (header.number > most ? header.number : most),
    0n,
  );
  expect(chain.findHead()?.number).toBe(highest);
}

/** Each change starts where the previous one ended. */
function verifyMoves(moves: readonly HeadChanged[], first: Hash, last: Hash | undefined): void {
  let head = first;
  for (const { removed, added, head: next } of moves) {
    const ancestor = removed.at(-1)?.header.parentHash ?? head;
    expect(removed[0]?.header.hash ?? head).toBe(head);
    expect(added[0]?.header.parentHash).toBe(ancestor);
    expect(added.at(-1)?.header.hash).toBe(next.hash);
    head = next.hash;
  }
  expect(head).toBe(last);
}

/** Waits until the importer is idle. */
async function quiet(importer: Importer): Promise<void> {
  do {
    await yieldToLoop();
    await importer.queue.run({ origin: "file" }, async () => {});
  } while (importer.queue.size > 0);
}

/** Deterministic numbers (mulberry32). */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(Math.max(1, items.length))];
  }

  shuffle<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, place: this.below(2 ** 30) }))
      .sort((a, b) => a.place - b.place)
      .map(({ item }) => item);
  }
}

const GENESIS = {
  config: { chainId: 1, istanbulBlock: 0 },
  difficulty: "0x1",
  gasLimit: "0x1000000",
};
const MINERS = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`] as const;

const evms = new Map<bigint, ReturnType<typeof createTestEvm>>();

function testEvm(chainId: bigint) {
  const evm = evms.get(chainId) ?? createTestEvm({ chainId });
  evms.set(chainId, evm);
  return evm;
}

async function openChain(
  json: Readonly<Record<string, unknown>> & { readonly config: object },
  opened?: KeyValueStore,
) {
  const store = opened ?? (await createMemoryStorageDriver().open({ folder: "" }));
  const states = new StateStore(store);
  const forks = readForks(json.config);
  const { chainId, chainID } = json.config as { chainId?: number; chainID?: number };
  const evm = await testEvm(BigInt(chainId ?? chainID ?? 1));
  const settings = { store, states, forks, evm, engine: proofOfWork, clock: new FakeClock(0) };
  const importer = new Importer(settings);
  const block = await buildGenesisBlock(json, { forks, store, origin: "test" });
  const genesis = await importer.open(block);
  /** An empty block on a parent, which may not be imported yet. */
  const rewards = new StateStore(store);
  const make = (parent: Header, miner: Address): Block => {
    const draft = {
      ...genesis,
      parentHash: keccakHeader(parent),
      number: parent.number + 1n,
      coinbase: miner,
    };
    const block = { header: withoutHash(draft), body: { transactions: [], uncles: [] } };
    const state = rewards.open(parent);
    reward(state, block, "istanbul");
    const update = rewards.update(state);
    rewards.add(update);
    return { ...block, header: { ...block.header, stateRoot: update.root } };
  };
  return { importer, store, genesis, make, settings };
}

function withoutHash({ hash: _hash, ...header }: Header & { readonly hash?: Hash }): Header {
  return header;
}

function emptyBatch(): Pick<WriteBatch, "put" | "delete"> {
  return { put: () => {}, delete: () => {} };
}

/** Proof of work without seal verification. */
const proofOfWork: ConsensusEngine = {
  finality: "eventual",
  hashHeader: (header) => keccakHeader(header),
  author: ({ coinbase }) => coinbase,
  feeRecipient: ({ coinbase }) => coinbase,
  verifyHeader: () => {},
  prepareHeader: (draft) => draft,
  prefers: (candidate, head) =>
    candidate.totalDifficulty > head.totalDifficulty ||
    (candidate.header.difficulty === 0n && candidate.header.number > head.header.number),
  finalize: ({ state, block, fork }) => reward(state, block, fork),
};

const WRONG_SEAL = Uint8Array.of(1);

/** Its seals are not part of the hash, like those of validators. */
const sealed: ConsensusEngine = {
  ...proofOfWork,
  hashHeader: (header) => keccakHeader({ ...header, extraData: new Uint8Array() }),
  verifyHeader({ extraData }) {
    if (extraData.length > 0) throw new InvalidBlock("seal", "it is not sealed");
  },
};

/**
 * The rewards of proof of work: for the miner, a thirty-second of it per uncle, and the uncles'
 * miners.
 */
function reward(state: WorldState, { header, body }: Block, fork: Fork): void {
  if (header.difficulty === 0n) return;
  const isAtLeast = (other: Fork) => FORKS.indexOf(fork) >= FORKS.indexOf(other);
  const ether = isAtLeast("constantinople") ? 2n : isAtLeast("byzantium") ? 3n : 5n;
  const full = ether * 10n ** 18n;
  pay(state, header.coinbase, full + (full / 32n) * BigInt(body.uncles.length));
  for (const uncle of body.uncles) {
    pay(state, uncle.coinbase, (full * (8n - (header.number - uncle.number))) / 8n);
  }
}

function pay(state: WorldState, address: Address, amount: bigint): void {
  state.setAccount(address, { balance: (state.findAccount(address)?.balance ?? 0n) + amount });
}

/** Concatenated blocks without any framing. */
function* readBlocks(path: string): Generator<Block> {
  const bytes = readFileSync(path);
  let position = 0;
  while (position < bytes.length) {
    const length = itemLength(bytes, position);
    yield blockFromRlp(decodeRlp(bytes.subarray(position, position + length)));
    position += length;
  }
}

function itemLength(bytes: Uint8Array, position: number): number {
  const first = bytes[position] ?? 0;
  if (first <= 0xf7) return first - 0xc0 + 1;
  const size = first - 0xf7;
  const digits = Buffer.from(bytes.subarray(position + 1, position + 1 + size)).toString("hex");
  return 1 + size + Number.parseInt(digits, 16);
}
