import {
  type ConsensusEngine,
  createMemoryStorageDriver,
  EMPTY_ROOT,
  type Hash,
  type Header,
  type KeyValueStore,
  keccakHeader,
  loadCrypto,
  type SealedHeader,
} from "@plinth/core";
import { sealHeader } from "@plinth/core/blocks";
import type { JoinedAccount, JoinedCode, OfferedChain } from "@plinth/core/chain";
import { verifyLink } from "@plinth/core/consensus";
import { readForks } from "@plinth/core/rules";
import { TABLES } from "@plinth/core/storage";
import { beforeAll, describe, expect, it } from "vitest";
import { trieKeyOfSlot } from "../flat/keys.js";
import { decodeAccountBody, decodeRecord, decodeSlotBody } from "../flat/record.js";
import { genesisBody, readGenesisHeader } from "../genesis/genesis-block.js";
import { GenesisState } from "../genesis/genesis-state.js";
import { ChainStore } from "../store/chain-store.js";
import { findJoinedAt } from "../store/joined-at.js";
import { joinChain } from "./join-chain.js";
import type { JoinSettings } from "./join-context.js";
import { findJoining, verifyNotJoining } from "./joining-record.js";

const PARTS = { headers: 2, codes: 1, states: 3 };
const LAST = 4n;
const HASH_BYTES = 32;
const OTHER_HASH = `0x${"11".repeat(32)}` as const;

/** Accounts with and without code and storage. */
const ALLOC = {
  [`0x${"0a".repeat(20)}`]: { balance: "0x1" },
  [`0x${"0b".repeat(20)}`]: {
    balance: "0x2",
    code: "0x6001",
    storage: { "0x1": "0x7", "0x2": "0x8" },
  },
  [`0x${"0c".repeat(20)}`]: { balance: "0x3" },
};

const engine = {
  finality: "instant",
  hashHeader: (header: Header) => keccakHeader(header),
  proveHeaders(start: SealedHeader) {
    let last = start;
    return {
      add(header: SealedHeader) {
        verifyLink(header, last);
        last = header;
      },
      finish: async () => last.number,
    };
  },
} as unknown as ConsensusEngine;

/** Everything that a source of a chain has. */
interface Source {
  readonly offered: OfferedChain;
  readonly settings: Omit<JoinSettings, "store">;
  readonly headers: SealedHeader[];
  readonly accounts: JoinedAccount[];
  readonly codes: JoinedCode[];
  /** The names of the parts in the order in which they were read. */
  readonly reads: string[];
}

async function createSource(fails?: (read: string) => boolean): Promise<Source> {
  const store = await createStore();
  const json = { config: { berlinBlock: 0 }, alloc: ALLOC };
  const state = new GenesisState({ genesis: { json, origin: "test" }, store, format: "BONSAI" });
  const stateRoot = await state.write();
  const fields = readGenesisHeader({}, { forks: readForks({}), origin: "test" });
  // The state of block 0 is another one.
  const first = seal({ ...fields, stateRoot: EMPTY_ROOT });
  const headers = [first];
  for (let number = 1n; number <= LAST; number++) {
    const parentHash = (headers.at(-1) as SealedHeader).hash;
    headers.push(seal({ ...fields, stateRoot, parentHash, number, difficulty: 2n }));
  }
  const { hash } = headers.at(-1) as SealedHeader;
  const accounts = await accountsOf(store);
  const codes = await entriesOf(store, TABLES.code);
  const reads: string[] = [];
  const source: Source = {
    headers,
    accounts,
    codes: codes.map(([key, code]) => ({ hash: `0x${key}`, code })),
    reads,
    settings: {
      engine,
      chainId: 7n,
      genesis: { header: first, body: genesisBody(first) },
      log: { info() {} },
      signal: new AbortController().signal,
    },
    offered: {
      chainId: 7n,
      genesisHash: first.hash,
      block: { number: LAST, hash, stateRoot },
      id: "1",
      parts: PARTS,
      option: "--offered",
      trust: {},
      readHeaders: async (part) =>
        read(`headers ${part}`, pick(source.headers, part, PARTS.headers)),
      readCodes: async (part) => read(`codes ${part}`, source.codes),
      async *readStates(part) {
        yield { accounts: read(`states ${part}`, pick(source.accounts, part, PARTS.states)) };
      },
      readBlock: async () => read("block", { body: genesisBody(first), receipts: [] }),
    },
  };
  function read<T>(name: string, value: T): T {
    reads.push(name);
    if (fails?.(name) === true) throw new Error(`${name} cannot be read`);
    return value;
  }
  return source;
}

function createStore(): Promise<KeyValueStore> {
  return createMemoryStorageDriver().open({ folder: "" });
}

function seal(header: Header): SealedHeader {
  return sealHeader(header, keccakHeader(header));
}

/** One of so many parts of a list. */
function pick<T>(items: readonly T[], part: number, parts: number): readonly T[] {
  const size = Math.ceil(items.length / parts);
  return items.slice(part * size, (part + 1) * size);
}

async function entriesOf(store: KeyValueStore, table: string) {
  const entries: (readonly [string, Uint8Array])[] = [];
  for await (const [key, value] of store.table(table).iterate()) {
    entries.push([Buffer.from(key).toString("hex"), value]);
  }
  return entries;
}

async function accountsOf(store: KeyValueStore): Promise<JoinedAccount[]> {
  const slots = (await entriesOf(store, TABLES.slots)).map(([key, value]) => ({
    account: key.slice(0, 2 * HASH_BYTES),
    key: trieKeyOfSlot(Buffer.from(key, "hex")),
    value: decodeSlotBody(decodeRecord(value).body),
  }));
  return (await entriesOf(store, TABLES.accounts)).flatMap(([key, value]) => {
    const account = decodeAccountBody(decodeRecord(value).body);
    if (account === undefined) return [];
    const own = slots.filter((slot) => slot.account === key);
    return [{ key: Buffer.from(key, "hex"), account, slots: own }];
  });
}

/** The names of the tables that have entries. */
async function filledTables(store: KeyValueStore): Promise<readonly string[]> {
  const tables = Object.values(TABLES);
  const sizes = await Promise.all(
    tables.map(async (name) => (await entriesOf(store, name)).length),
  );
  return tables.filter((_, index) => (sizes[index] ?? 0) > 0);
}

beforeAll(async () => {
  await loadCrypto();
});

describe("joining a chain", () => {
  it("writes headers, values and the block, and makes it the head", async () => {
    const { settings, offered, headers, accounts } = await createSource();
    const store = await createStore();

    await joinChain({ ...settings, store }, offered);

    const chain = new ChainStore(store);
    expect(chain.findHead()).toEqual(headers.at(-1));
    expect(headers.map(({ number }) => chain.findHash(number))).toEqual(
      headers.map(({ hash }) => hash),
    );
    expect(chain.findTotalDifficulty(offered.block.hash)).toBe(2n * LAST);
    expect([chain.firstRetained(), findJoinedAt(store.table(TABLES.chain))]).toEqual([LAST, LAST]);
    expect(await accountsOf(store)).toEqual(accounts);
    expect(findJoining(store)).toBeUndefined();
  });

  it("continues after an error in any part, without reading earlier ones again", async () => {
    const whole = await createSource();
    await joinChain({ ...whole.settings, store: await createStore() }, whole.offered);
    const expected = [...whole.reads];
    for (const [at, name] of expected.entries()) {
      const store = await createStore();
      const failing = await createSource((read) => read === name);
      await expect(joinChain({ ...failing.settings, store }, failing.offered)).rejects.toThrow(
        name,
      );
      expect(() => verifyNotJoining(store)).toThrow("--offered");
      expect(new ChainStore(store).isEmpty()).toBe(true);

      const { settings, offered, reads } = await createSource();
      await joinChain({ ...settings, store }, offered);

      expect(reads).toEqual(expected.slice(at));
      expect(new ChainStore(store).findHead()?.hash).toBe(offered.block.hash);
    }
  });

  it("ends with the signal, and continues later", async () => {
    const store = await createStore();
    const stop = new AbortController();
    const { settings, offered } = await createSource((read) => {
      if (read === "states 1") stop.abort(new Error("stopped"));
      return false;
    });
    const stopped = { ...settings, store, signal: stop.signal };
    await expect(joinChain(stopped, offered)).rejects.toThrow("stopped");

    await joinChain({ ...settings, store }, offered);

    expect(new ChainStore(store).findHead()?.hash).toBe(offered.block.hash);
  });

  it("is not continued with another block", async () => {
    const store = await createStore();
    const { settings, offered } = await createSource((read) => read === "states 1");
    await expect(joinChain({ ...settings, store }, offered)).rejects.toThrow("states 1");
    const other = {
      ...offered,
      block: { ...offered.block, hash: `0x${"11".repeat(32)}` as const },
    };

    await expect(joinChain({ ...settings, store }, other)).rejects.toMatchObject({
      code: "JOIN_INCOMPLETE",
    });
  });

  it("gives up an interrupted block for a later one, and keeps the headers before it", async () => {
    const store = await createStore();
    const failing = await createSource((read) => read === "states 1");
    const stateRoot = failing.headers[2]?.stateRoot as Hash;
    const block = { number: 2n, hash: failing.headers[2]?.hash as Hash, stateRoot };
    const earlier = { ...failing.offered, block, parts: { ...PARTS, headers: 1 } };
    await expect(joinChain({ ...failing.settings, store }, earlier)).rejects.toThrow("states 1");
    // A value that only the earlier block had.
    const stale = store.batch();
    stale.put(TABLES.accounts, Buffer.alloc(32, 0xee), Buffer.of(1));
    await stale.commit();

    const { settings, offered, reads } = await createSource();
    await joinChain({ ...settings, store }, { ...offered, supersedes: true });

    expect(reads.slice(0, 2)).toEqual(["headers 0", "headers 1"]);
    expect(new ChainStore(store).findHead()?.hash).toBe(offered.block.hash);
  });

  it("gives up an interrupted block for an earlier one, with everything", async () => {
    const store = await createStore();
    const failing = await createSource((read) => read === "states 1");
    await expect(joinChain({ ...failing.settings, store }, failing.offered)).rejects.toThrow();

    const { settings, offered, headers } = await createSource();
    headers.pop();
    const { hash, stateRoot } = headers.at(-1) as SealedHeader;
    const block = { number: LAST - 1n, hash, stateRoot };
    await joinChain({ ...settings, store }, { ...offered, block, supersedes: true });

    const chain = new ChainStore(store);
    expect(chain.findHead()?.hash).toBe(hash);
    expect(chain.findHash(LAST)).toBeUndefined();
  });

  it("does not keep unproven headers of an interrupted block for a later one", async () => {
    const store = await createStore();
    const other = await createSource((read) => read === "headers 1");
    for (let number = 1; number < other.headers.length; number++) {
      const parentHash = (other.headers[number - 1] as SealedHeader).hash;
      const header = other.headers[number] as SealedHeader;
      other.headers[number] = seal({ ...header, parentHash, gasLimit: 1n });
    }
    const { hash, stateRoot } = other.headers[3] as SealedHeader;
    const block = { number: 3n, hash, stateRoot };
    await expect(
      joinChain({ ...other.settings, store }, { ...other.offered, block }),
    ).rejects.toThrow("headers 1");
    expect(findJoining(store)).toMatchObject({ step: "headers", header: 2 });

    const { settings, offered, headers } = await createSource();
    await joinChain({ ...settings, store }, { ...offered, supersedes: true });

    expect(new ChainStore(store).findHash(1n)).toBe(headers[1]?.hash);
  });

  it("lets other work run while it proves the headers of an interrupted start", async () => {
    const store = await createStore();
    const failing = await createSource((read) => read === "headers 1");
    await expect(joinChain({ ...failing.settings, store }, failing.offered)).rejects.toThrow();
    const { settings, offered } = await createSource();
    const turns: number[] = [];
    let turn = 0;
    let isOver = false;
    const count = () => {
      turn++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const slow = {
      ...engine,
      proveHeaders: (start: SealedHeader) => ({
        ...engine.proveHeaders?.(start, {}),
        add() {
          turns.push(turn);
          for (const end = performance.now() + 50; performance.now() < end; );
        },
        finish: async () => LAST,
      }),
    } as ConsensusEngine;

    await joinChain({ ...settings, engine: slow, store }, offered);

    isOver = true;
    expect(turns[1]).toBeGreaterThan(turns[0] as number);
  });

  it("at block 1 has all blocks", async () => {
    const store = await createStore();
    const { settings, offered, headers } = await createSource();
    headers.splice(2);
    const { hash, stateRoot } = headers[1] as SealedHeader;

    await joinChain({ ...settings, store }, { ...offered, block: { number: 1n, hash, stateRoot } });

    expect(new ChainStore(store).firstRetained()).toBe(0n);
  });

  it.each(["headers 1", "states 1"])(
    "demands a block of what was written before %s was interrupted",
    async (name) => {
      const store = await createStore();
      const failing = await createSource((read) => read === name);
      await expect(joinChain({ ...failing.settings, store }, failing.offered)).rejects.toThrow();
      const { settings, offered, headers } = await createSource();
      const required = { number: 1n, hash: OTHER_HASH, setting: "--required" };

      await expect(joinChain({ ...settings, store }, { ...offered, required })).rejects.toThrow(
        `block 1 is ${headers[1]?.hash}, but --required demands ${OTHER_HASH}`,
      );

      const right = { ...required, hash: (headers[1] as SealedHeader).hash };
      await joinChain({ ...settings, store }, { ...offered, required: right });
      expect(new ChainStore(store).findHead()?.number).toBe(LAST);
    },
  );

  it("accepts code together with the accounts that have it", async () => {
    const { settings, offered, codes, accounts } = await createSource();
    const store = await createStore();
    const readStates = async function* () {
      yield { codes, accounts };
    };

    const parts = { ...PARTS, codes: 0, states: 1 };
    await joinChain({ ...settings, store }, { ...offered, parts, readStates });

    expect(new ChainStore(store).findHead()?.hash).toBe(offered.block.hash);
  });

  it.each<[string, (source: Source) => Partial<OfferedChain> | undefined]>([
    ["another network", () => ({ genesisHash: `0x${"11".repeat(32)}` })],
    ["another chain id", () => ({ chainId: 8n })],
    [
      "another hash",
      ({ offered }) => ({ block: { ...offered.block, hash: `0x${"11".repeat(32)}` } }),
    ],
    ["another root", ({ offered }) => ({ block: { ...offered.block, stateRoot: EMPTY_ROOT } })],
    [
      "a chain without the required block",
      () => ({ required: { number: 2n, hash: OTHER_HASH, setting: "--required" } }),
    ],
    [
      "a chain that ends before the required block",
      () => ({ required: { number: 9n, hash: OTHER_HASH, setting: "--required" } }),
    ],
    ["a header less", ({ headers }) => void headers.pop()],
    ["a header missing", ({ headers }) => void headers.splice(2, 1)],
    ["no code", ({ codes }) => void codes.pop()],
    [
      "another code",
      ({ codes }) => void codes.push({ hash: `0x${"11".repeat(32)}`, code: Buffer.of(1) }),
    ],
    ["an account less", ({ accounts }) => void accounts.pop()],
    [
      "another balance",
      (source) => void change(source, ({ account }) => ({ account: { ...account, balance: 9n } })),
    ],
    [
      "an account twice",
      ({ accounts }) => {
        const [first] = accounts as [JoinedAccount];
        accounts.push({ ...first, account: { ...first.account, nonce: 9n } });
      },
    ],
    [
      "a slot of an account without storage",
      (source) =>
        void change(source, ({ account }) =>
          account.storageRoot === EMPTY_ROOT
            ? { slots: [{ key: Buffer.alloc(32, 1), value: 1n }] }
            : {},
        ),
    ],
    ["a slot less", (source) => void change(source, ({ slots }) => ({ slots: slots.slice(1) }))],
    [
      "another value",
      (source) =>
        void change(source, ({ slots }) => ({
          slots: slots.map((slot) => ({ ...slot, value: slot.value + 1n })),
        })),
    ],
    [
      "receipts of another block",
      () => ({
        readBlock: async () => ({
          body: { transactions: [], uncles: [] },
          receipts: [{ type: 0, succeeded: true, cumulativeGasUsed: 1n, logs: [] } as never],
        }),
      }),
    ],
  ])("refuses %s, and leaves the database empty", async (_, damage) => {
    const source = await createSource();
    const store = await createStore();
    const offered = { ...source.offered, ...damage(source) };

    await expect(joinChain({ ...source.settings, store }, offered)).rejects.toMatchObject({
      code: "JOIN_REFUSED",
    });
    expect(await filledTables(store)).toEqual([]);
  });
});

/** Changes every account. */
function change(
  { accounts }: Source,
  by: (account: JoinedAccount) => Partial<JoinedAccount>,
): void {
  for (const [at, account] of accounts.entries()) accounts[at] = { ...account, ...by(account) };
}
