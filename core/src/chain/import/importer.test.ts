import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createTestEvm } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { type Block, blockFromRlp, encodeBlock } from "../../blocks/block.js";
import { type Header, keccakHeader } from "../../blocks/header.js";
import type { ConsensusEngine } from "../../consensus/engine.js";
import { FORKS, type Fork } from "../../evm/fork.js";
import type { WorldState } from "../../evm/world-state.js";
import { loadCrypto } from "../../primitives/crypto.js";
import type { Address, Hash } from "../../primitives/hex.js";
import { decodeRlp } from "../../primitives/rlp.js";
import { createMemoryStorageDriver } from "../../storage/memory-store.js";
import type { KeyValueStore, WriteBatch } from "../../storage/store.js";
import { ChainStore } from "../chain-store.js";
import { InvalidBlock } from "../errors.js";
import { readForks } from "../forks.js";
import { buildGenesisBlock } from "../genesis-block.js";
import { StateStore } from "../state/state-store.js";
import { Importer } from "./importer.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const folder = process.env.PLINTH_CONFORMANCE ?? `${root}/../shared/conformance`;
const isMissing = process.env.PLINTH_CONFORMANCE === undefined && !existsSync(folder);

beforeAll(async () => {
  await loadCrypto();
});

describe.skipIf(isMissing)("blocks that others made", () => {
  it.each([
    ["from Frontier on, then of Shanghai and Cancun", "besu-chain", "chain.blocks", 34],
    ["of Istanbul, full of failing calls", "besu-trace-chain", "chain.blocks", 33],
    ["of Cancun, with blobs", "execution-apis-cancun", "chain.rlp", 20],
    ["from Homestead to Osaka", "execution-apis-latest", "chain.rlp", 54],
  ])("%s are imported, executed and found again", async (_, name, file, last) => {
    const json = JSON.parse(readFileSync(`${folder}/${name}/genesis.json`, "utf8"));
    const { importer, store } = await openChain(json);
    const blocks = [...readBlocks(`${folder}/${name}/${file}`)].filter(
      ({ header }) => header.number > 0n && header.number <= BigInt(last),
    );

    for (const block of blocks) await importer.import(block);

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
  it("moves the head to the heavier branch and back-dates the index", async () => {
    const { importer, store, genesis, make } = await openChain(GENESIS);
    const a1 = make(genesis, MINERS[0]);
    const a2 = make(a1.header, MINERS[0]);
    const b1 = make(genesis, MINERS[1]);
    const b2 = make(b1.header, MINERS[1]);
    const b3 = make(b2.header, MINERS[1]);
    await importer.import(a1);
    await importer.import(a2);

    const placements = [];
    for (const block of [b1, b2, b3]) placements.push(await importer.import(block));

    expect(placements.map(({ placement }) => placement)).toEqual(["side", "side", "head"]);
    const hashes = (blocks: readonly Block[]) => blocks.map(({ header }) => keccakHeader(header));
    expect(hashes(placements[2]?.removed ?? [])).toEqual(hashes([a2, a1]));
    expect(hashes(placements[2]?.added ?? [])).toEqual(hashes([b1, b2, b3]));
    const chain = new ChainStore(store);
    expect([1n, 2n, 3n].map((number) => chain.findHash(number))).toEqual(hashes([b1, b2, b3]));
    expect(chain.findBlock(keccakHeader(a2.header))).toBeDefined();
  });

  it("keeps the head when a branch is as heavy as the chain", async () => {
    const { importer, genesis, make } = await openChain(GENESIS);
    await importer.import(make(genesis, MINERS[0]));

    const { placement } = await importer.import(make(genesis, MINERS[1]));

    expect(placement).toBe("side");
  });

  it("takes a block once and blocks one at a time", async () => {
    const { importer, genesis, make } = await openChain(GENESIS);
    const first = make(genesis, MINERS[0]);
    const second = make(first.header, MINERS[0]);

    const results = await Promise.all(
      [first, second, first].map((block) => importer.import(block)),
    );

    expect(results.map(({ placement }) => placement)).toEqual(["head", "head", "known"]);
  });

  it.each<[string, (block: Block) => Partial<Header>]>([
    ["unknown-parent", () => ({ parentHash: `0x${"12".repeat(32)}` })],
    ["number", () => ({ number: 7n })],
    ["transactions-root", () => ({ transactionsRoot: `0x${"12".repeat(32)}` })],
    ["uncles-hash", () => ({ unclesHash: `0x${"12".repeat(32)}` })],
    ["gas-limit", () => ({ gasLimit: 0x1000000n + 0x4000n })],
    ["base-fee", () => ({ baseFeePerGas: 0n })],
    ["gas-used", () => ({ gasUsed: 1n })],
    ["logs-bloom", () => ({ logsBloom: new Uint8Array(256).fill(1) })],
    ["receipts-root", () => ({ receiptsRoot: `0x${"12".repeat(32)}` })],
    ["state-root", () => ({ stateRoot: `0x${"12".repeat(32)}` })],
  ])("refuses a block whose %s is wrong and leaves the chain as it was", async (rule, change) => {
    const { importer, store, genesis, make } = await openChain(GENESIS);
    const block = make(genesis, MINERS[0]);

    const wrong = { ...block, header: { ...block.header, ...change(block) } };

    await expect(importer.import(wrong)).rejects.toMatchObject({ code: "BLOCK_INVALID", rule });
    expect(new ChainStore(store).findHead()?.number).toBe(0n);
    expect((await importer.import(block)).placement).toBe("head");
  });

  it("refuses a block with withdrawals that its header does not know of", async () => {
    const { importer, genesis, make } = await openChain(GENESIS);
    const block = make(genesis, MINERS[0]);

    const wrong = { ...block, body: { ...block.body, withdrawals: [] } };

    await expect(importer.import(wrong)).rejects.toMatchObject({ rule: "withdrawals-root" });
  });

  it("lets the engine look at the whole block, and at what came before it", async () => {
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

    await expect(new Importer({ ...settings, engine }).import(block)).rejects.toMatchObject({
      rule: "uncles",
    });
    expect(seen).toEqual([[], true]);
  });

  it("goes on from what the database holds", async () => {
    const { importer, store, genesis, make } = await openChain(GENESIS);
    const first = make(genesis, MINERS[0]);
    await importer.import(first);

    const again = await openChain(GENESIS, store);
    const { placement } = await again.importer.import(again.make(first.header, MINERS[1]));

    expect(placement).toBe("head");
    expect(new ChainStore(store).findHead()?.number).toBe(2n);
  });

  it("refuses a database of another chain", async () => {
    const { store } = await openChain(GENESIS);

    await expect(openChain({ ...GENESIS, extraData: "0x01" }, store)).rejects.toMatchObject({
      code: "GENESIS_MISMATCH",
    });
  });

  it("leaves the head where it was when the batch cannot be written", async () => {
    const { store, genesis, make, settings } = await openChain(GENESIS);
    const full = {
      table: (name: string) => store.table(name),
      snapshot: () => store.snapshot(),
      close: () => store.close(),
      batch: () => ({ ...emptyBatch(), commit: () => Promise.reject(new Error("disk full")) }),
    };
    const block = make(genesis, MINERS[0]);

    await expect(new Importer({ ...settings, store: full }).import(block)).rejects.toThrow(
      "disk full",
    );

    expect(new ChainStore(store).findHead()?.number).toBe(0n);
    expect((await new Importer(settings).import(block)).placement).toBe("head");
  });
});

const GENESIS = {
  config: { chainId: 1, istanbulBlock: 0 },
  difficulty: "0x1",
  gasLimit: "0x1000000",
};
const MINERS = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`] as const;

async function openChain(
  json: Readonly<Record<string, unknown>> & { readonly config: object },
  opened?: KeyValueStore,
) {
  const store = opened ?? (await createMemoryStorageDriver().open({ folder: "" }));
  const states = new StateStore(store);
  const forks = readForks(json.config);
  const { chainId, chainID } = json.config as { chainId?: number; chainID?: number };
  const evm = await createTestEvm({ chainId: BigInt(chainId ?? chainID ?? 1) });
  const settings = { store, states, forks, evm, engine: proofOfWork };
  const importer = new Importer(settings);
  const genesis = await importer.open(buildGenesisBlock(json, { forks, states, origin: "test" }));
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
    const state = rewards.open(parent.stateRoot);
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

/** Proof of work whose seals nobody checks. */
const proofOfWork: ConsensusEngine = {
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

/** What proof of work paid: the miner, a thirty-second of it per uncle, and the uncles' miners. */
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

/** Blocks stand one after another, without anything around them. */
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
