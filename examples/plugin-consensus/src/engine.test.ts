import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Block,
  createMemoryStorageDriver,
  createNode,
  definePlugin,
  getCrypto,
  hexToBytes,
  loadCrypto,
  type Node,
  type Plugin,
  type SealedBlock,
  toHex,
} from "@plinth/core";
import { FakeClock } from "@plinth/core/testing";
import { devChain } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import turns from "./index.js";
import { readKey } from "./read-key.js";
import { seal } from "./seal.js";

const PERIOD_MS = 5_000;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const ADA = new Uint8Array(32).fill(1);
const BEN = new Uint8Array(32).fill(2);
const evm = devChain.filter(({ name }) => name.startsWith("evm-"));

const folder = mkdtempSync(join(tmpdir(), "plinth-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  await loadCrypto();
});

describe("an engine whose authorities take turns", () => {
  it("makes blocks in turn that the other node takes", async () => {
    const clock = new FakeClock(1_700_000_000_000);
    await using ada = await start({ key: ADA, clock });
    await using ben = await start({ key: BEN, clock });

    // Block 1 is the second authority's.
    const first = await blockOf(ben.node, 1n);
    await ada.blocks.import(first);
    await clock.advance(PERIOD_MS);
    const second = await blockOf(ada.node, 2n);

    expect((await ben.blocks.import(second)).placement).toBe("head");
    expect(second.header.coinbase).toBe(addressOf(ADA));
  });

  it("takes two seals of one block for one block", async () => {
    const [block] = await makeBlocks(1);
    await using other = await start({ authorities: [ADA] });
    if (block === undefined) throw new Error("no block was made");
    const twin = { ...block, header: { ...block.header, extraData: otherSeal(block) } };

    expect((await other.blocks.import(twin)).placement).toBe("head");
    expect((await other.blocks.import(block)).placement).toBe("known");
  });

  it.each<[string, (block: Block) => Block]>([
    ["out-of-turn", ({ header, body }) => ({ header: seal(header, BEN), body })],
    ["seal", ({ header, body }) => ({ header: { ...header, extraData: ADA }, body })],
    ["too-early", (block) => resealed(block, { timestamp: 1n })],
    ["difficulty", (block) => resealed(block, { difficulty: 2n })],
  ])("refuses by the rule %s", async (rule, change) => {
    const [block] = await makeBlocks(1);
    await using other = await start({ authorities: [ADA] });
    if (block === undefined) throw new Error("no block was made");

    await expect(other.blocks.import(change(block))).rejects.toMatchObject({ rule });
  });

  it("follows the longer branch, and finds it again after a restart", async () => {
    const short = await makeBlocks(2, 1_700_000_000_000);
    const long = await makeBlocks(3, 1_700_000_001_000);
    const plugins = [createKeptStorage()];
    const placements: string[] = [];
    {
      await using other = await start({ authorities: [ADA], plugins });
      for (const block of [...short, ...long]) {
        placements.push((await other.blocks.import(block)).placement);
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
});

it("tells nothing of a key file that holds no key", () => {
  const path = join(folder, "no-key");
  writeFileSync(path, "not quite a secret");

  expect(() => readKey(path)).toThrow(`turns-key-file: ${path} does not hold 32 bytes of hex`);
  expect(() => readKey(join(folder, "nothing"))).toThrow("cannot be read");
});

function writeKey(key: Uint8Array): string {
  const path = join(folder, toHex(key));
  writeFileSync(path, toHex(key));
  return path;
}

interface Start {
  readonly key?: Uint8Array;
  readonly authorities?: readonly Uint8Array[];
  readonly clock?: FakeClock;
  readonly plugins?: readonly Plugin[];
}

async function start({ key, authorities = [ADA, BEN], clock, plugins = [] }: Start) {
  const node = await createNode({
    plugins: [...evm, turns, ...plugins],
    options: {
      turnsKeyFile: key && writeKey(key),
      keyValueStorage: plugins.length > 0 ? "kept" : "memory",
    },
    genesis: {
      config: {
        chainId: 1337,
        londonBlock: 0,
        turns: { periodSeconds: 5, authorities: authorities.map(addressOf) },
      },
      gasLimit: "0x1c9c380",
      difficulty: "0x1",
    },
    clock: clock ?? new FakeClock(),
  });
  await node.start();
  const { blocks } = node;
  return { node, blocks, [Symbol.asyncDispose]: () => node.stop() };
}

/** Blocks of a chain with one authority; another time makes another branch. */
async function makeBlocks(count: number, now = 1_700_000_000_000): Promise<SealedBlock[]> {
  const clock = new FakeClock(now);
  await using ada = await start({ key: ADA, authorities: [ADA], clock });
  const blocks: SealedBlock[] = [];
  for (let number = 1n; number <= count; number++) {
    blocks.push(await blockOf(ada.node, number));
    await clock.advance(PERIOD_MS);
  }
  return blocks;
}

/** Waits for a block; production runs on its own. */
async function blockOf({ blocks }: Node, number: bigint): Promise<SealedBlock> {
  for (;;) {
    const header = blocks.findHeader(number);
    const block = header && blocks.findBlock(header.hash);
    if (block !== undefined) return block;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A store that outlives its node. */
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

function resealed({ header, body }: Block, change: Partial<Block["header"]>): Block {
  return { header: seal({ ...header, ...change }, ADA), body };
}

/** The other signature of the same author: with the negative `s` and the other parity. */
function otherSeal({ header: { extraData } }: Block): Uint8Array {
  const s = ORDER - BigInt(toHex(extraData.slice(32, 64)));
  const bytes = hexToBytes(s.toString(16).padStart(64, "0"));
  return Uint8Array.of(...extraData.slice(0, 32), ...bytes, 1 - (extraData[64] ?? 0));
}

function addressOf(key: Uint8Array) {
  return getCrypto().addressOf(getCrypto().publicKeyOf(key));
}
