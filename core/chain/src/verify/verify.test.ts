import type { KeyValueStore } from "@plinth/core";
import { createMemoryStorageDriver, definePlugin } from "@plinth/core";
import type { StoredProblem } from "@plinth/core/chain";
import { TABLES } from "@plinth/core/storage";
import { createTestNode, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { verifyHistory } from "./verify-history.js";
import { StateWalk } from "./verify-state.js";

/** A chain of three blocks whose database is accessible to the test. */
async function startChain(dataStorageFormat: "BONSAI" | "FOREST" = "FOREST") {
  let store: KeyValueStore | undefined;
  const memory = createMemoryStorageDriver();
  const kept = definePlugin({
    name: "kept-store",
    setup(node) {
      node.storage.driver({
        name: "kept",
        async open(place) {
          store = await memory.open(place);
          return store;
        },
      });
    },
  });
  const node = await createTestNode({
    plugins: [kept],
    options: { keyValueStorage: "kept", dataStorageFormat },
  });
  const creation = { data: "60fe60005360016000f3", gasLimit: 100_000n };
  const storing = { data: "60016000556002600155", gasLimit: 100_000n };
  await node.mine([transfer()], [creation, storing], [transfer()]);
  const { blocks } = node.node;
  if (store === undefined || blocks === undefined) throw new Error("the chain has no blocks");
  const reorganize = () => node.reorganize(1);
  return { blocks, store, reorganize, [Symbol.asyncDispose]: () => node.stop() };
}

type Chain = Awaited<ReturnType<typeof startChain>>;

async function change(
  { store }: Chain,
  table: string,
  replace: (value: Uint8Array) => Uint8Array | undefined,
  entry = 0,
  block?: bigint,
): Promise<void> {
  let at = 0;
  const batch = store.batch();
  for await (const [key, value] of store.table(table).iterate()) {
    if (at++ !== entry) continue;
    const replaced = replace(value);
    if (replaced === undefined) batch.delete(table, key);
    else batch.put(table, block === undefined ? key : numberKey(block), replaced);
  }
  await batch.commit();
}

function numberKey(block: bigint): Uint8Array {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(block);
  return key;
}

async function problemsOfHistory({ blocks, store }: Chain): Promise<readonly StoredProblem[]> {
  const found: StoredProblem[] = [];
  for await (const { problems } of verifyHistory(store, blocks.head())) found.push(...problems);
  return found;
}

const problemsOf = ({ blocks }: Chain) =>
  [...blocks.verifyBlocks(), ...blocks.verifyState()].flatMap(({ problems }) =>
    problems.map(({ where, problem }) => `${where}: ${problem}`),
  );

async function problemsOfState({ blocks, store }: Chain): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { problems } of new StateWalk(store).runAll(blocks.head())) {
    found.push(...problems.map(({ problem }) => problem));
  }
  return found;
}

const flipLast = (value: Uint8Array) => {
  const copy = Uint8Array.from(value);
  copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1;
  return copy;
};

describe("a database", () => {
  it("is intact if nothing happened to it", async () => {
    await using chain = await startChain();

    expect(problemsOf(chain)).toEqual([]);
  });

  it.each([
    ["a missing header", TABLES.headers, () => undefined, /is missing|cannot be read/],
    ["a missing body", TABLES.bodies, () => undefined, /header or body is missing/],
    ["a replaced header", TABLES.headers, flipLast, /has the hash|cannot be read/],
    ["missing receipts", TABLES.receipts, () => undefined, /receipts are missing/],
    ["a wrong total difficulty", TABLES.totalDifficulties, () => Uint8Array.of(99), /difficulty/],
    [
      "a missing index",
      TABLES.transactions,
      () => undefined,
      /missing from the index of transactions/,
    ],
    ["a wrong index", TABLES.transactions, flipLast, /missing from the index of transactions/],
    ["a missing number", TABLES.canonical, () => undefined, /missing from the canonical/],
    ["missing code", TABLES.code, () => undefined, /the code 0x.* is missing/],
    ["replaced code", TABLES.code, flipLast, /the code 0x.* has the hash/],
  ])("with %s is not intact", async (_, table, replace, text) => {
    await using chain = await startChain();

    await change(chain, table, replace);

    expect(problemsOf(chain)).toContainEqual(expect.stringMatching(text));
  });

  it.each([
    ["missing", () => undefined, /trie node 0x.* is missing/],
    ["replaced", flipLast, /trie node 0x.* has the hash/],
  ])("with any node of the head state %s is not intact", async (_, replace, text) => {
    const whole = await startChain();
    const nodes = [];
    for await (const [key] of whole.store.table(TABLES.trieNodes).iterate()) nodes.push(key);
    await whole[Symbol.asyncDispose]();
    let found = 0;
    for (const entry of nodes.keys()) {
      await using chain = await startChain();
      await change(chain, TABLES.trieNodes, replace, entry);
      const problems = problemsOf(chain);
      if (problems.some((problem) => text.test(problem))) found += 1;
      // Nodes of older states are not verified.
      else expect(problems).toEqual([]);
    }

    expect(found).toBeGreaterThan(1);
  });

  it("is intact with flat states", async () => {
    await using chain = await startChain("BONSAI");

    expect(await problemsOfState(chain)).toEqual([]);
  });

  it.each([
    ["a missing account", TABLES.accounts, () => undefined],
    ["a missing slot", TABLES.slots, () => undefined],
    ["another slot", TABLES.slots, flipLast],
    [
      "an account of a later block",
      TABLES.accounts,
      (value) => Buffer.from([9, ...value.slice(1)]),
    ],
    ["a missing node of accounts", TABLES.accountNodes, () => undefined],
    ["a missing node of storage", TABLES.storageNodes, () => undefined],
  ] as readonly [string, string, (value: Uint8Array) => Uint8Array | undefined][])(
    "with flat states is not intact with %s",
    async (_, table, replace) => {
      await using chain = await startChain("BONSAI");

      await change(chain, table, replace);

      expect(await problemsOfState(chain)).not.toEqual([]);
    },
  );

  it.each([TABLES.accounts, TABLES.slots])(
    "with flat states is not intact with one more value in the table %s",
    async (table) => {
      await using chain = await startChain("BONSAI");
      const batch = chain.store.batch();
      for await (const [key, value] of chain.store.table(table).iterate()) {
        const other = flipLast(key);
        batch.put(table, other, value);
      }
      await batch.commit();

      expect(await problemsOfState(chain)).toContainEqual(
        expect.stringMatching(`the table ${table} has [0-9]+ values, but the tries have [0-9]+`),
      );
    },
  );

  const flipFirst = (value: Uint8Array) => Buffer.from([(value[0] ?? 0) ^ 1, ...value.slice(1)]);

  it.each([
    ["another earlier value", TABLES.history, flipFirst],
    ["an earlier value that cannot be decoded", TABLES.history, () => Buffer.alloc(4, 0xff)],
    ["a missing earlier value", TABLES.history, () => undefined],
    ["other changed keys", TABLES.stateChanges, flipFirst],
    ["changed keys of a later block", TABLES.stateChanges, (value) => value, 9n],
    ["another version of a changed key", TABLES.stateChanges, flipLast],
    ["other changes of a block off the chain", TABLES.sideChanges, flipFirst],
  ] as readonly [string, string, (value: Uint8Array) => Uint8Array | undefined, bigint?][])(
    "with flat states and %s has no intact history",
    async (_, table, replace, block) => {
      await using chain = await startChain("BONSAI");
      await chain.reorganize();
      expect(await problemsOfHistory(chain)).toEqual([]);

      await change(chain, table, replace, 0, block);

      expect(await problemsOfHistory(chain)).toContainEqual(
        expect.objectContaining({ where: expect.any(String) }),
      );
    },
  );

  it("with a block above its head is not intact", async () => {
    await using chain = await startChain();
    const batch = chain.store.batch();
    const above = Buffer.alloc(8);
    above.writeBigUInt64BE(4n);
    batch.put(TABLES.canonical, above, new Uint8Array(32));
    await batch.commit();

    expect(problemsOf(chain)).toEqual(["block 4: it is canonical, although the head is below it"]);
  });
});
