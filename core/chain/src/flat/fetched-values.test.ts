import {
  type Address,
  createMemoryStorageDriver,
  EMPTY_ROOT,
  type Hash,
  loadCrypto,
} from "@plinth/core";
import { type FetchedValues, type MissingValue, StateMissing } from "@plinth/core/chain";
import { TABLES } from "@plinth/core/storage";
import { beforeAll, describe, expect, it } from "vitest";
import { StateStore } from "../state/state-store.js";
import { originEntry } from "./fetched-values.js";
import { FlatLayout } from "./flat-layout.js";

beforeAll(loadCrypto);

const RICH: Address = `0x${"11".repeat(20)}`;
const CONTRACT: Address = `0x${"22".repeat(20)}`;
const UNUSED: Address = `0x${"33".repeat(20)}`;
const SLOT: Hash = `0x${"00".repeat(31)}01`;
const OTHER_SLOT: Hash = `0x${"00".repeat(31)}02`;
const ROOT: Hash = `0x${"ab".repeat(32)}`;
const CODE = Uint8Array.of(0x60, 0x00);

/** A state at an origin, with an account, a contract with two slots, and nothing else. */
async function openStates() {
  const store = await createMemoryStorageDriver().open({ folder: "" });
  const disk = { isFull: false };
  const begin = store.batch.bind(store);
  store.batch = () => {
    const batch = begin();
    const commit = batch.commit.bind(batch);
    batch.commit = (settings) =>
      disk.isFull ? Promise.reject(new Error("ENOSPC: no space left")) : commit(settings);
    return batch;
  };
  const batch = store.batch();
  batch.put(TABLES.chain, ...originEntry({ number: 7, stateRoot: ROOT }));
  await batch.commit();
  const asked: (readonly MissingValue[])[] = [];
  const origin = {
    async fetch({ values }: { readonly values: readonly MissingValue[] }): Promise<FetchedValues> {
      asked.push(values);
      return {
        accounts: values.flatMap(({ address, slot }) =>
          slot === undefined ? [{ address, account: accountAt(address) }] : [],
        ),
        slots: values.flatMap(({ address, slot }) =>
          slot === undefined ? [] : [{ address, slot, value: address === CONTRACT ? 9n : 0n }],
        ),
      };
    },
  };
  const layout = new FlatLayout({ store, proofBlocks: 16 });
  return { states: new StateStore(store, layout, origin), layout, asked, disk };
}

function accountAt(address: Address) {
  if (address === RICH) return { nonce: 0n, balance: 5n, code: new Uint8Array() };
  return address === CONTRACT ? { nonce: 1n, balance: 0n, code: CODE } : undefined;
}

const open = (states: StateStore) => states.open({ stateRoot: ROOT });

describe("a state at an origin", () => {
  it("names a value that is missing", async () => {
    const { states } = await openStates();

    expect(() => open(states).findAccount(RICH)).toThrow(
      expect.objectContaining({ code: "STATE_MISSING", values: [{ address: RICH }] }),
    );
  });

  it("has values once they are fetched, each once", async () => {
    const { states, asked } = await openStates();
    const read = () => open(states).getStorage(CONTRACT, SLOT);

    expect(await states.resolveMissing(read)).toBe(9n);
    expect(await states.resolveMissing(read)).toBe(9n);

    expect(asked).toEqual([[{ address: CONTRACT }], [{ address: CONTRACT, slot: SLOT }]]);
    expect(open(states).getCode(CONTRACT)).toEqual(CODE);
  });

  it("has the same values for reading alone, and names those that are missing", async () => {
    const { states, asked } = await openStates();
    const reader = states.readerAt({ stateRoot: ROOT });
    const read = () => [reader.getStorage(CONTRACT, SLOT), reader.findAccount(RICH)?.balance];

    expect(await states.resolveMissing(read)).toEqual([9n, 5n]);

    expect(asked).toEqual([
      [{ address: CONTRACT }],
      [{ address: CONTRACT, slot: SLOT }],
      [{ address: RICH }],
    ]);
    expect(reader.getCode(CONTRACT)).toEqual(CODE);
  });

  it("keeps the first value: blocks may have been executed with it", async () => {
    const { states, layout } = await openStates();
    const fetched = (balance: bigint): FetchedValues => ({
      accounts: [{ address: RICH, account: { nonce: 0n, balance, code: new Uint8Array() } }],
      slots: [],
    });

    await layout.addFetched?.(fetched(5n));
    await layout.addFetched?.(fetched(6n));

    expect(open(states).findAccount(RICH)?.balance).toBe(5n);
  });

  it("has none that a full disk did not accept", async () => {
    const { states, asked, disk } = await openStates();
    const read = () => open(states).getStorage(CONTRACT, SLOT);
    disk.isFull = true;
    await expect(states.resolveMissing(read)).rejects.toThrow("ENOSPC");
    disk.isFull = false;

    expect(await states.resolveMissing(read)).toBe(9n);

    expect(asked).toHaveLength(3);
  });

  it("finds all that a run misses by guessing", async () => {
    const { states, asked } = await openStates();
    const run = async () => {
      const state = open(states);
      return state.findMissing(async () => {
        const sum = state.getStorage(CONTRACT, SLOT) + state.getStorage(CONTRACT, OTHER_SLOT);
        return sum + (state.findAccount(RICH)?.balance ?? 0n);
      });
    };

    expect(await states.resolveMissing(run)).toBe(23n);

    expect(asked.map(({ length }) => length)).toEqual([2, 2]);
  });

  it("forgets guesses with the changes of a run", async () => {
    const { states } = await openStates();
    const state = open(states);
    const run = () =>
      state.attempt(() =>
        state.findMissing(async () => {
          const { balance = 0n } = state.findAccount(RICH) ?? {};
          state.setAccount(RICH, { balance: balance + 1n });
          return balance;
        }),
      );

    await expect(run()).rejects.toThrow(StateMissing);
    expect(state.changes()).toEqual([]);
    expect(await states.resolveMissing(run)).toBe(5n);
    expect(state.findAccount(RICH)?.balance).toBe(6n);
  });

  it("has roots of what was written, not of what was read", async () => {
    const { states } = await openStates();
    const rootAfter = async (work: (state: ReturnType<typeof open>) => void) =>
      states.resolveMissing(() => {
        const state = open(states);
        work(state);
        return states.update(state).root;
      });
    const write = await rootAfter((state) => state.setStorage(CONTRACT, SLOT, 3n));

    expect(await rootAfter(() => {})).toBe(EMPTY_ROOT);
    expect(await rootAfter((state) => state.getStorage(CONTRACT, OTHER_SLOT))).toBe(EMPTY_ROOT);
    expect(await rootAfter((state) => state.setStorage(CONTRACT, SLOT, 9n))).toBe(EMPTY_ROOT);
    expect(write).not.toBe(EMPTY_ROOT);
    expect(
      await rootAfter((state) => {
        state.findAccount(UNUSED);
        state.getStorage(CONTRACT, OTHER_SLOT);
        state.setStorage(CONTRACT, SLOT, 3n);
      }),
    ).toBe(write);
  });

  it("writes a slot that becomes zero, though no root changes", async () => {
    const { states } = await openStates();
    const update = await states.resolveMissing(() => {
      const state = open(states);
      state.setStorage(CONTRACT, SLOT, 0n);
      return states.update(state);
    });

    const [account] = update.accounts;

    expect(account?.slots.map(({ slot, value }) => [slot, value])).toContainEqual([SLOT, 0n]);
  });

  it("says that contracts have storage, and accounts without code and transactions have none", async () => {
    const { states } = await openStates();
    const has = (address: Address) => states.resolveMissing(() => open(states).hasStorage(address));

    expect(await has(CONTRACT)).toBe(true);
    expect(await has(RICH)).toBe(false);
    expect(await has(UNUSED)).toBe(false);
  });
});
