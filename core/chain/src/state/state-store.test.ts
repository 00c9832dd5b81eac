import { createMPT } from "@ethereumjs/mpt";
import type { KeyValueStore } from "@plinth/core";
import {
  type Address,
  createMemoryStorageDriver,
  EMPTY_ROOT,
  encodeRlp,
  type Hash,
  type Hex,
  hexToBytes,
  keccak256,
  loadCrypto,
  toHex,
} from "@plinth/core";
import { keccakHash } from "@plinth/core/primitives";
import { TABLES } from "@plinth/core/storage";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { StateStore } from "./state-store.js";
import type { JournaledState } from "./world-state.js";

beforeAll(loadCrypto);

const ALICE = addressOf(1);
const BOB = addressOf(2);
const CODE = Uint8Array.of(0x60, 0x01);

/** `npm run long -- state` runs 140 chains. */
const RUNS = Number(process.env.PLINTH_STATE_CHAINS ?? 30);

describe("a committed state", () => {
  it("is the same when it is reopened", async () => {
    const { database, states } = await openStates();
    const state = states.open({ stateRoot: EMPTY_ROOT });
    state.setAccount(ALICE, { nonce: 1n, balance: 5n });
    state.setCode(ALICE, CODE);
    state.setStorage(ALICE, slotOf(1), 7n);
    const root = await commit(database, states, state);

    const reopened = new StateStore(database).open({ stateRoot: root });

    expect(reopened.findAccount(ALICE)).toEqual({
      nonce: 1n,
      balance: 5n,
      codeHash: keccakHash(CODE),
    });
    expect(reopened.getCode(ALICE)).toEqual(CODE);
    expect(reopened.getStorage(ALICE, slotOf(1))).toBe(7n);
    expect(reopened.getStorage(ALICE, slotOf(2))).toBe(0n);
    expect(reopened.findAccount(BOB)).toBeUndefined();
  });

  it("is unaffected by later blocks", async () => {
    const { database, states } = await openStates();
    const first = states.open({ stateRoot: EMPTY_ROOT });
    first.setAccount(ALICE, { balance: 5n });
    const before = await commit(database, states, first);
    const second = states.open({ stateRoot: before });
    second.deleteAccount(ALICE);
    const after = await commit(database, states, second);

    expect(after).toBe(EMPTY_ROOT);
    expect(states.open({ stateRoot: before }).findAccount(ALICE)?.balance).toBe(5n);
    expect(states.open({ stateRoot: after }).findAccount(ALICE)).toBeUndefined();
  });

  it("resolves the addresses and slots behind its keys", async () => {
    const { database, states } = await openStates();
    const state = states.open({ stateRoot: EMPTY_ROOT });
    state.setStorage(ALICE, slotOf(1), 7n);
    await commit(database, states, state);
    const reopened = new StateStore(database);

    expect(reopened.findPreimage(keccakHash(bytes(ALICE)))).toBe(ALICE);
    expect(reopened.findPreimage(keccakHash(bytes(slotOf(1))))).toBe(slotOf(1));
    expect(reopened.findPreimage(keccakHash(bytes(BOB)))).toBeUndefined();
  });

  it("is available, and others are not", async () => {
    const { database, states } = await openStates();
    const state = states.open({ stateRoot: EMPTY_ROOT });
    state.setAccount(ALICE, {});
    const root = await commit(database, states, state);

    expect(states.has({ stateRoot: root })).toBe(true);
    expect(states.has({ stateRoot: EMPTY_ROOT })).toBe(true);
    expect(states.has({ stateRoot: slotOf(1) })).toBe(false);
  });

  it("can be read through a snapshot while the next one is written", async () => {
    const { database, states } = await openStates();
    const first = states.open({ stateRoot: EMPTY_ROOT });
    first.setAccount(ALICE, { balance: 5n });
    const root = await commit(database, states, first);
    const reader = new StateStore(database.snapshot());
    const second = states.open({ stateRoot: root });
    second.setAccount(ALICE, { balance: 6n });
    const next = await commit(database, states, second);

    expect(reader.open({ stateRoot: root }).findAccount(ALICE)?.balance).toBe(5n);
    expect(reader.has({ stateRoot: next })).toBe(false);
  });
});

describe("a state that was added but not committed", () => {
  it("can be read and built on", async () => {
    const { database, states } = await openStates();
    const first = states.open({ stateRoot: EMPTY_ROOT });
    first.setCode(ALICE, CODE);
    const update = states.update(first);
    states.add(update);
    const second = states.open({ stateRoot: update.root });
    second.setAccount(BOB, { balance: 1n });

    const root = await commit(database, states, second);

    const reopened = new StateStore(database).open({ stateRoot: root });
    expect(reopened.getCode(ALICE)).toEqual(CODE);
    expect(reopened.findAccount(BOB)?.balance).toBe(1n);
  });

  it("leaves no trace in the database", async () => {
    const { database, states } = await openStates();
    const state = states.open({ stateRoot: EMPTY_ROOT });
    state.setCode(ALICE, CODE);
    states.add(states.update(state));

    for (const table of Object.values(TABLES)) {
      expect(await database.table(table).iterate().next()).toMatchObject({ done: true });
    }
  });

  it("is written by the next batch if the first one failed", async () => {
    const { database, states } = await openStates();
    const state = states.open({ stateRoot: EMPTY_ROOT });
    state.setAccount(ALICE, { balance: 5n });
    const { root, ...update } = states.update(state);
    states.add({ root, ...update });
    states.writeTo(database.batch());

    const batch = database.batch();
    states.writeTo(batch);
    await batch.commit();

    expect(new StateStore(database).open({ stateRoot: root }).findAccount(ALICE)?.balance).toBe(5n);
  });

  it("is written once", async () => {
    const { database, states } = await openStates();
    const state = states.open({ stateRoot: EMPTY_ROOT });
    state.setAccount(ALICE, { balance: 5n });
    await commit(database, states, state);

    const puts: string[] = [];
    states.writeTo({ ...database.batch(), put: (table) => puts.push(table) });

    expect(puts).toEqual([]);
  });
});

describe("an update", () => {
  it("is empty if nothing changed", async () => {
    const { database, states } = await openStates();
    const first = states.open({ stateRoot: EMPTY_ROOT });
    first.setAccount(ALICE, { balance: 5n });
    first.setStorage(ALICE, slotOf(1), 7n);
    const root = await commit(database, states, first);

    const second = states.open({ stateRoot: root });
    second.setStorage(ALICE, slotOf(1), 8n);
    second.setStorage(ALICE, slotOf(1), 7n);
    second.setAccount(ALICE, { balance: 5n });
    second.deleteAccount(BOB);

    expect(states.update(second)).toEqual({
      root,
      accounts: [],
      trie: { root, nodes: [], replaced: [] },
      code: new Map(),
      preimages: new Map(),
    });
  });

  it("omits code that was set and reverted", async () => {
    const { states } = await openStates();
    const state = states.open({ stateRoot: EMPTY_ROOT });
    state.checkpoint();
    state.setCode(ALICE, CODE);
    state.revert();

    expect(states.update(state).code.size).toBe(0);
  });

  it("may be computed in the middle of a block, as receipts before Byzantium need it", async () => {
    const { states } = await openStates();
    const whole = states.open({ stateRoot: EMPTY_ROOT });
    whole.setAccount(ALICE, { balance: 5n });
    const middle = states.update(whole);
    whole.setAccount(BOB, { balance: 6n });
    states.add(middle);
    const rest = states.open({ stateRoot: middle.root });
    rest.setAccount(BOB, { balance: 6n });

    expect(states.update(whole).root).toBe(states.update(rest).root);
  });
});

describe("a damaged database", () => {
  it.each([
    ["a node", (states: StateStore) => states.open({ stateRoot: slotOf(9) }).findAccount(ALICE)],
    [
      "code",
      (states: StateStore) => {
        const state = states.open({ stateRoot: EMPTY_ROOT });
        state.setCode(ALICE, CODE);
        const update = states.update(state);
        states.add({ ...update, code: new Map() });
        states.open({ stateRoot: update.root }).getCode(ALICE);
      },
    ],
  ])("is reported if %s is missing", async (_, read) => {
    const { states } = await openStates();

    expect(() => read(states)).toThrow(expect.objectContaining({ code: "STORAGE_DAMAGED" }));
  });

  it("is reported if a node is malformed", async () => {
    const { database, states } = await openStates();
    const batch = database.batch();
    batch.put(TABLES.trieNodes, bytes(slotOf(9)), Uint8Array.of(1, 2, 3));
    await batch.commit();

    expect(() => states.open({ stateRoot: slotOf(9) }).findAccount(ALICE)).toThrow(
      expect.objectContaining({ code: "STORAGE_DAMAGED" }),
    );
  });
});

describe("state roots", () => {
  it("match @ethereumjs/mpt after every block of random chains", async () => {
    let blocks = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 30 }), { minLength: 14, maxLength: 16 }),
        async (chain) => {
          const { database, states } = await openStates();
          const reference = await createMPT({ useKeyHashing: true });
          let model: Model = new Map();
          let root = EMPTY_ROOT;
          for (const steps of chain) {
            const before = model;
            const state = states.open({ stateRoot: root });
            model = run(steps, state, before);
            root = await commit(database, states, state);
            blocks++;

            await updateReference(reference, before, model);
            expect(root).toBe(toHex(reference.root()));
            expectSame(state, model);
            expectSame(new StateStore(database).open({ stateRoot: root }), model);
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(blocks).toBeGreaterThanOrEqual(RUNS * 14);
  }, 60_000);
});

interface ModelAccount {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly code: Uint8Array;
  readonly storage: ReadonlyMap<Hash, bigint>;
}

/** The state as plain values; every change returns a new one. */
type Model = ReadonlyMap<Address, ModelAccount>;

type Step =
  | Change
  | { readonly kind: "frame"; readonly steps: readonly Step[]; readonly isKept: boolean };

type Change =
  | { readonly kind: "clear" | "delete" | "recreate"; readonly address: Address }
  | { readonly kind: "balance" | "nonce"; readonly address: Address; readonly value: bigint }
  | { readonly kind: "code"; readonly address: Address; readonly code: Uint8Array }
  | {
      readonly kind: "storage";
      readonly address: Address;
      readonly slot: Hash;
      readonly value: bigint;
    };

const ADDRESSES = Array.from({ length: 24 }, (_, at) => addressOf(at));
const SLOTS = Array.from({ length: 12 }, (_, at) => slotOf(at));

const address = fc.constantFrom(...ADDRESSES);
const nonce = fc.oneof(fc.constant(0n), fc.bigInt(0n, 2n ** 64n - 1n));
const amount = fc.oneof(fc.constant(0n), fc.bigInt(1n, 300n), fc.bigInt(0n, 2n ** 256n - 1n));
const { step } = fc.letrec<{ step: Step }>((tie) => ({
  step: fc.oneof(
    { maxDepth: 3 },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant("storage" as const),
        address,
        slot: fc.constantFrom(...SLOTS),
        value: amount,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("balance" as const), address, value: amount }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("nonce" as const), address, value: nonce }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("code" as const),
        address,
        code: fc.uint8Array({ maxLength: 40 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom("clear" as const, "delete" as const, "recreate" as const),
        address,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("frame" as const),
        steps: fc.array(tie("step"), { maxLength: 6 }),
        isKept: fc.boolean(),
      }),
    },
  ),
}));

const NEW_ACCOUNT: ModelAccount = {
  nonce: 0n,
  balance: 0n,
  code: new Uint8Array(),
  storage: new Map(),
};

/** Applies the steps to the state and to the model. */
function run(steps: readonly Step[], state: JournaledState, model: Model): Model {
  return steps.reduce((current, step) => take(step, state, current), model);
}

function take(step: Step, state: JournaledState, model: Model): Model {
  if (step.kind !== "frame") return change(step, state, model);
  state.checkpoint();
  const inside = run(step.steps, state, model);
  if (step.isKept) state.commit();
  else state.revert();
  return step.isKept ? inside : model;
}

function change(step: Change, state: JournaledState, model: Model): Model {
  const { address } = step;
  const account = model.get(address);
  const withPart = (part: Partial<ModelAccount>): Model =>
    new Map(model).set(address, { ...NEW_ACCOUNT, ...account, ...part });
  switch (step.kind) {
    case "balance":
      state.setAccount(address, { balance: step.value });
      return withPart({ balance: step.value });
    case "nonce":
      state.setAccount(address, { nonce: step.value });
      return withPart({ nonce: step.value });
    case "code":
      state.setCode(address, step.code);
      return withPart({ code: step.code });
    case "storage": {
      state.setStorage(address, step.slot, step.value);
      if (account === undefined && step.value === 0n) return model;
      const storage = new Map(account?.storage).set(step.slot, step.value);
      if (step.value === 0n) storage.delete(step.slot);
      return withPart({ storage });
    }
    case "clear":
      state.clearStorage(address);
      return account === undefined ? model : withPart({ storage: new Map() });
    case "delete":
    case "recreate": {
      state.deleteAccount(address);
      if (step.kind === "recreate") state.setAccount(address, {});
      const left = new Map(model);
      left.delete(address);
      return step.kind === "delete" ? left : left.set(address, NEW_ACCOUNT);
    }
  }
}

function expectSame(state: JournaledState, model: Model): void {
  const found = ADDRESSES.map((address) => [
    state.findAccount(address),
    toHex(state.getCode(address)),
    SLOTS.map((slot) => state.getStorage(address, slot)),
  ]);

  expect(found).toEqual(
    ADDRESSES.map((address) => {
      const account = model.get(address);
      const { nonce, balance, code, storage } = account ?? NEW_ACCOUNT;
      return [
        account && { nonce, balance, codeHash: keccakHash(code) },
        toHex(code),
        SLOTS.map((slot) => storage.get(slot) ?? 0n),
      ];
    }),
  );
}

type Reference = Awaited<ReturnType<typeof createMPT>>;

async function updateReference(reference: Reference, before: Model, after: Model): Promise<void> {
  for (const address of ADDRESSES) {
    const account = after.get(address);
    if (account === before.get(address)) continue;
    if (account === undefined) {
      await reference.del(bytes(address));
      continue;
    }
    const storage = await createMPT({ useKeyHashing: true });
    for (const [slot, value] of account.storage) {
      await storage.put(bytes(slot), encodeRlp(quantity(value)));
    }
    await reference.put(
      bytes(address),
      encodeRlp([
        quantity(account.nonce),
        quantity(account.balance),
        storage.root(),
        keccak256(account.code),
      ]),
    );
  }
}

async function openStates(): Promise<{ database: KeyValueStore; states: StateStore }> {
  const database = await createMemoryStorageDriver().open({ folder: "" });
  return { database, states: new StateStore(database) };
}

async function commit(
  database: KeyValueStore,
  states: StateStore,
  state: JournaledState,
): Promise<Hash> {
  const update = states.update(state);
  states.add(update);
  const batch = database.batch();
  const release = states.writeTo(batch);
  await batch.commit();
  release();
  return update.root;
}

function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, "0")}`;
}

function slotOf(number: number): Hash {
  return `0x${number.toString(16).padStart(64, "0")}`;
}

function bytes(identity: Hex): Uint8Array {
  return hexToBytes(identity);
}

function quantity(value: bigint): Uint8Array {
  const digits = value.toString(16);
  return value === 0n ? new Uint8Array() : bytes(`0x${digits.length % 2 ? "0" : ""}${digits}`);
}
