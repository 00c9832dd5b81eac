import { setImmediate } from "node:timers/promises";
import {
  type Address,
  type BlockReader,
  type CommitEvent,
  definePlugin,
  type Hash,
  type PluginTable,
  type SealedBlock,
  type StateReader,
} from "@plinth/core";
import { COMPATIBILITIES } from "@plinth/core/rpc";
import { type CreateAction, type FlatTrace, FlatTracer } from "@plinth/kit-trace";
import {
  ACCOUNTS,
  BOB,
  createTestNode,
  DEV_GENESIS,
  type TransactionFields,
} from "@plinth/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRecords } from "./record-query.js";
import type { ContractCreation, TransactionPosition } from "./service.js";
import { type ReadRecords, StoredAddressIndex } from "./stored-address-index.js";

/** `npm run long -- address-index` runs more. */
const RUNS = Number(process.env.PLINTH_ADDRESS_SCHEDULES ?? 25);
const NEVER = new AbortController().signal;

const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const TRANSFER_SINGLE = "c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
/** Contracts by what they do with the two words of their input. */
const CODES = {
  /** Calls the first with the second as value. */
  call: "60006000600060006020356000355af100",
  /** Runs the code of the first. */
  delegate: "60006000600060006000355af400",
  /** Calls the first, and reverts. */
  revert: "600060006000600060006000355af15060006000fd",
  /** Destroys itself in favour of the first. */
  destroy: "600035ff",
  /** Transfers of tokens from the first to the second. */
  token: `6020356000357f${TRANSFER}60006000a300`,
  tokens: `602035600035337f${TRANSFER_SINGLE}60006000a400`,
  /** Create contracts from their input. */
  create: "3660006000373660006000f000",
  create2: "36600060003760003660006000f500",
  /** Creates a contract, and reverts. */
  createAndRevert: "3660006000373660006000f05060006000fd",
} as const;
type Kind = keyof typeof CODES | "transfer" | "deploy" | "deployBad";
const KINDS = Object.keys(CODES) as (keyof typeof CODES)[];
const addressOf = (kind: keyof typeof CODES): Address =>
  `0x${(KINDS.indexOf(kind) + 1).toString(16).padStart(40, "c")}`;
const GENESIS = {
  ...DEV_GENESIS,
  alloc: {
    ...DEV_GENESIS.alloc,
    ...Object.fromEntries(
      KINDS.map((kind) => [addressOf(kind), { code: `0x${CODES[kind]}`, balance: "0x100000" }]),
    ),
  },
};
const PRECOMPILE: Address = `0x${"2".padStart(40, "0")}`;
/** Those that operations name. */
const TARGETS: readonly Address[] = [
  ...[BOB, ...ACCOUNTS.map(({ address }) => address), ...KINDS.map(addressOf)],
  PRECOMPILE,
];
/** Init codes: of an empty contract, of one that destroys itself, and one that creates another. */
const INIT_CODES = ["600160005360016000f3", "6000ff", "69600160005360016000f3600052600a6016f0"];

/** A transaction of a test. */
interface Operation {
  readonly kind: Kind;
  readonly target: number;
  readonly value: number;
}

const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.constantFrom(...KINDS, "transfer", "deploy", "deployBad"),
  target: fc.nat(TARGETS.length - 1),
  value: fc.nat(3),
});

function toTransaction({ kind, target, value }: Operation): TransactionFields {
  const to = TARGETS[target] ?? BOB;
  const gasLimit = 300_000n;
  const from = ACCOUNTS[value % ACCOUNTS.length] ?? {};
  const code = INIT_CODES[value % INIT_CODES.length] ?? "";
  if (kind === "transfer") return { from, to: BOB, value: BigInt(value) } as TransactionFields;
  const base = { from, gasLimit } as TransactionFields;
  if (kind === "deploy") return { ...base, data: code };
  if (kind === "deployBad") return { ...base, data: "fe" };
  const isCreation = kind.startsWith("create");
  const words = to.slice(2).padStart(64, "0") + value.toString(16).padStart(64, "0");
  return { ...base, to: addressOf(kind), data: isCreation ? code : words };
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ mine: fc.array(operation, { maxLength: 4 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      back: fc.integer({ min: 1, max: 6 }),
      race: fc.constantFrom("none", "before", "after"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ forth: fc.nat() }) },
  { weight: 3, arbitrary: fc.constant({ fill: true } as const) },
  { weight: 1, arbitrary: fc.constant({ toggle: true } as const) },
  { weight: 1, arbitrary: fc.constant({ reopen: true } as const) },
);

type Step =
  | { readonly mine: readonly Operation[] }
  | { readonly back: number; readonly race?: string }
  | { readonly forth: number }
  | { readonly fill: true }
  | { readonly toggle: true }
  | { readonly reopen: true };

describe("the address index", () => {
  it(
    "finds the same as a scan of all blocks with traces, regardless of how the chain changed",
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
          await using test = await open();
          for (const each of steps) await test.take(each);
          await test.compare();
          await test.complete();
          await test.compare();
          await test.verifyEntries();
        }),
        { numRuns: RUNS },
      );
    },
    RUNS * 10_000,
  );

  it("lists value that a contract sends to a precompile, not a call without value", async () => {
    await using test = await open();
    const target = TARGETS.indexOf(PRECOMPILE);
    for (const value of [0, 3]) await test.take({ mine: [{ kind: "call", target, value }] });
    await test.take({ mine: [{ kind: "delegate", target, value: 3 }] });
    await test.complete();

    expect(await positions(test.index, PRECOMPILE)).toEqual([{ number: 2n, index: 0 }]);
    await test.compare();
  });

  it("removes the entries of blocks that leave the chain, in the same batch", async () => {
    await using test = await open();
    await test.take({ mine: [{ kind: "call", target: 1, value: 1 }] });
    await test.complete();
    const before = await test.keys();

    await test.take({ mine: [{ kind: "create", target: 0, value: 0 }] });
    await test.complete();
    expect((await test.keys()).length).toBeGreaterThan(before.length);
    await test.take({ back: 1 });

    expect(await test.keys()).toEqual(before);
    expect(test.index.lastBlock).toBe(1n);
  });

  it("does not add a block that leaves the chain while it is executed", async () => {
    await using test = await open();
    await test.complete();
    await test.take({ mine: [{ kind: "call", target: 1, value: 1 }] });
    const reading = test.index.fill(NEVER);

    await test.take({ back: 1 });
    await test.take({ mine: [] });
    await reading;

    expect(test.index.lastBlock).toBe(0n);
    await test.complete();
    await test.compare();
    await test.verifyEntries();
  });

  it("removes the entries of blocks whose bodies are removed", async () => {
    await using test = await open();
    await test.take({ mine: [{ kind: "transfer", target: 1, value: 1 }] });
    await test.complete();
    const kept = await test.keys();
    const block = test.blocks.findBlock(1n) as SealedBlock;
    const removed: string[] = [];

    test.index.commit({
      ...{ removed: [], pruned: [block] },
      batch: {
        put() {},
        delete: (_, key) => void removed.push(Buffer.from(key).toString("hex")),
        onCommitted() {},
      },
    });

    // What is left is the coverage.
    expect(kept.filter((key) => !removed.includes(key))).toEqual(["00"]);
  });

  it("adds blocks again that left the chain and came back while the index was off", async () => {
    await using test = await open();
    await test.take({ mine: [{ kind: "transfer", target: 1, value: 1 }] });
    await test.complete();
    const { hash } = test.blocks.head();
    await test.take({ toggle: true });
    await test.take({ back: 1 });
    await test.take({ toggle: true });
    await test.index.fill(NEVER);
    await test.take({ toggle: true });
    await test.blocks.setHead(hash);
    await test.take({ toggle: true });
    await test.complete();

    await test.compare();
    await test.verifyEntries();
  });

  it("starts after the last block whose state is not kept", async () => {
    await using test = await open();
    for (let count = 0; count < 4; count++) {
      await test.take({ mine: [{ kind: "transfer", target: 1, value: 1 }] });
    }
    const { blocks } = test;
    const index = new StoredAddressIndex(
      test.table,
      {
        head: () => blocks.head(),
        findHeader: (id) => blocks.findHeader(id),
        firstRetained: () => 0n,
        oldestStates: () => ({ values: 2n, tries: 2n }),
      },
      test.read,
    );

    while ((await index.fill(NEVER)) !== undefined);

    expect([index.firstBlock, index.lastBlock, index.isComplete]).toEqual([3n, 4n, true]);
  });

  it("continues after blocks that cannot be executed", async () => {
    await using test = await open();
    for (let count = 0; count < 4; count++) {
      await test.take({ mine: [{ kind: "transfer", target: 1, value: 1 }] });
    }
    const index = new StoredAddressIndex(test.table, test.blocks, async (order, signal) =>
      (await test.read(order, signal)).map((each) =>
        each.number === 2n ? { ...each, record: undefined } : each,
      ),
    );

    while ((await index.fill(NEVER)) !== undefined);

    expect([index.firstBlock, index.lastBlock, index.isComplete]).toEqual([3n, 4n, true]);
    expect(index.blockCount).toBe(4n);
  });

  it("can be removed and built again", async () => {
    await using test = await open();
    await test.take({ mine: [{ kind: "create", target: 0, value: 0 }] });
    await test.complete();
    const before = await test.keys();

    await test.index.clear();
    expect(await test.keys()).toEqual([]);
    expect(test.index.lastBlock).toBeUndefined();
    await test.complete();

    expect(await test.keys()).toEqual(before);
  });

  it("resolves when the head is indexed, and reports if it is not in time", async () => {
    await using test = await open();
    await test.complete();
    await test.take({ mine: [] });
    const wait = (timeoutMs: number) => test.index.waitForHead({ timeoutMs, signal: NEVER });

    expect(await wait(1)).toBe(false);
    const waiting = wait(60_000);
    await test.index.fill(NEVER);

    expect(await waiting).toBe(true);
  });
});

/** A node with an index that a test fills, closes and opens itself. */
async function open() {
  let table: PluginTable | undefined;
  let index: StoredAddressIndex | undefined;
  let running = "none";
  let filling: Promise<unknown> = Promise.resolve();
  const fill = () => {
    const opened = index;
    filling = filling.then(() => opened?.fill(NEVER));
  };
  const plugin = definePlugin({
    name: "address-index",
    setup({ storage, hooks }) {
      table = storage.table("entries");
      hooks.chain.commit.tap((event: CommitEvent) => {
        if (running === "before") fill();
        index?.commit(event);
        if (running === "after") fill();
      });
    },
  });
  const node = await createTestNode({
    plugins: [plugin],
    genesis: GENESIS,
    options: { devPeriodSeconds: 3600 },
  });
  const { blocks } = node.node;
  if (table === undefined) throw new Error("the plugin was not set up");
  const opened = { table, blocks };
  // Few blocks at a time, so that there are gaps.
  const read: ReadRecords = ({ first, last }, signal) =>
    readRecords(blocks, { first, last: last < first + 2n ? last : first + 2n }, signal);
  const start = () => {
    index = new StoredAddressIndex(opened.table, blocks, read);
  };
  start();
  const heads: Hash[] = [];
  return {
    ...opened,
    read,
    get index() {
      if (index === undefined) throw new Error("the index is closed");
      return index;
    },
    /** Performs one action; filling continues meanwhile. */
    async take(given: Step): Promise<void> {
      if ("mine" in given) await node.mine(given.mine.map(toTransaction));
      else if ("back" in given) {
        const to = blocks.head().number - BigInt(given.back);
        running = given.race ?? "none";
        await blocks.setHead(blocks.findHeader(to < 0n ? 0n : to)?.hash ?? "0x");
        running = "none";
      } else if ("forth" in given) {
        const head = heads[given.forth % heads.length];
        if (head !== undefined) await blocks.setHead(head);
      } else if ("fill" in given) {
        fill();
        await setImmediate();
      } else {
        await filling;
        const isOpen = index !== undefined;
        index = undefined;
        if (!isOpen || "reopen" in given) start();
      }
      heads.push(blocks.head().hash);
    },
    async complete(): Promise<void> {
      await filling;
      if (index === undefined) start();
      while ((await this.index.fill(NEVER)) !== undefined);
      expect(this.index.isComplete).toBe(true);
      expect(this.index.lastBlock).toBe(blocks.head().number);
    },
    /** The covered blocks have the entries that a scan finds. */
    async compare(): Promise<void> {
      await filling;
      if (index === undefined) return;
      const { firstBlock, lastBlock } = index;
      if (firstBlock === undefined || lastBlock === undefined) return;
      const found = await scanChain(blocks, { from: firstBlock, to: lastBlock });
      expect(lastBlock).toBeLessThanOrEqual(blocks.head().number);
      for (const [address, expected] of found.parties) {
        expect(await positions(index, address)).toEqual(expected);
        expect(await positions(index, address, true)).toEqual(expected.toReversed());
      }
      for (const [contract, expected] of found.created) {
        expect(await index.findCreation(contract)).toEqual(expected);
      }
      for (const [sender, nonce, expected] of found.nonces) {
        expect(index.findByNonce(sender, nonce)).toEqual(expected);
      }
    },
    /** The table has no other entries: an index that is built from nothing has the same. */
    async verifyEntries(): Promise<void> {
      const keys = await this.keys();
      await this.index.clear();
      await this.complete();
      expect(await this.keys()).toEqual(keys);
    },
    async keys() {
      const keys: string[] = [];
      for await (const [key] of opened.table.iterate()) keys.push(Buffer.from(key).toString("hex"));
      return keys;
    },
    async [Symbol.asyncDispose]() {
      await filling;
      await node.stop();
    },
  };
}

async function positions(index: StoredAddressIndex, address: Address, reverse = false) {
  const found: TransactionPosition[] = [];
  const range = { from: 0n, to: 10_000n, reverse };
  for await (const position of index.transactionsOf(address, range)) found.push(position);
  return found;
}

/** What the index should have, by the traces and logs of every block. */
async function scanChain(
  blocks: BlockReader,
  { from, to }: { readonly from: bigint; readonly to: bigint },
) {
  const parties = new Map<Address, TransactionPosition[]>(TARGETS.map((each) => [each, []]));
  const created = new Map<Address, ContractCreation>();
  const nonces: [Address, bigint, TransactionPosition][] = [];
  for (let number = from > 0n ? from : 1n; number <= to; number++) {
    const block = blocks.findBlock(number);
    using replay = block && (await blocks.replay(block));
    if (block === undefined || replay === undefined) throw new Error(`no block ${number}`);
    const receipts = blocks.findReceipts(block.header.hash) ?? [];
    for (const [index, { sender, nonce, to: target }] of block.body.transactions.entries()) {
      const { state } = replay;
      const compatibility = COMPATIBILITIES.plinth;
      const tracer = new FlatTracer({ state, compatibility, namesCreationMethod: false });
      const before = balanceOf(state, PRECOMPILE);
      await replay.run(tracer);
      // Traces leave out calls of precompiles by contracts.
      const isPaid = balanceOf(state, PRECOMPILE) > before;
      const traces = tracer.traces();
      const holders = (receipts[index]?.logs ?? []).flatMap(({ topics }) => topics.slice(-2));
      const all = [
        ...[sender, target, isPaid ? PRECOMPILE : undefined],
        ...traces.flatMap(partiesIn),
        ...holders.map((topic): Address => `0x${topic.slice(-40)}`).filter(isAccount),
      ];
      for (const party of new Set(all.filter((each) => each !== undefined))) {
        parties.set(party, [...(parties.get(party) ?? []), { number, index }]);
      }
      for (const { action, result } of traces.filter((each) => isCreated(each, traces))) {
        const { address } = result as { address: Address };
        created.set(address, { number, index, creator: (action as CreateAction).from });
      }
      nonces.push([sender, nonce, { number, index }]);
    }
  }
  return { parties, created, nonces };
}

function balanceOf(state: StateReader, address: Address): bigint {
  return state.findAccount(address)?.balance ?? 0n;
}

/** Tokens are created and destroyed as transfers from and to the zero address. */
function isAccount(address: Address): boolean {
  return BigInt(address) > 0n;
}

function partiesIn({ action, result }: FlatTrace): readonly Address[] {
  const named = { ...action, ...result } as Record<string, Address>;
  return ["from", "to", "address", "refundAddress"].flatMap((name) => named[name] ?? []);
}

/** Whether a trace is of a creation that neither failed nor was reverted by one that it is inside of. */
function isCreated({ type, traceAddress }: FlatTrace, traces: readonly FlatTrace[]): boolean {
  const around = traces.filter(({ traceAddress: other }) =>
    other.every((step, depth) => traceAddress[depth] === step),
  );
  return type === "create" && around.every(({ error }) => error === undefined);
}
