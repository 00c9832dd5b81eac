import {
  type Address,
  createMemoryStorageDriver,
  EMPTY_ROOT,
  type Hash,
  type Hex,
  hexToBytes,
  loadCrypto,
} from "@plinth/core";
import { keccakHash } from "@plinth/core/primitives";
import { beforeAll, describe, expect, it } from "vitest";
import { StateStore } from "./state-store.js";

const CONTRACT = addressOf(1);
const FIRST: Hash = `0x${"00".repeat(32)}`;
const LAST: Hash = `0x${"ff".repeat(32)}`;

beforeAll(async () => {
  await loadCrypto();
});

describe("the iteration of a state", () => {
  it("visits every account once, in hash order", async () => {
    const { states, root } = await filledState();
    const expected = range(1, 200)
      .map((number) => ({ key: hashOf(addressOf(number)), address: addressOf(number) }))
      .sort(byKey);

    expect([...states.accountsFrom({ stateRoot: root }, FIRST)]).toEqual(expected);
    for (const at of [0, 1, 57, 198]) {
      const start = expected[at]?.key ?? FIRST;
      expect([...states.accountsFrom({ stateRoot: root }, start)]).toEqual(expected.slice(at));
    }
    expect([...states.accountsFrom({ stateRoot: root }, LAST)]).toEqual([]);
    expect([...states.accountsFrom({ stateRoot: EMPTY_ROOT }, FIRST)]).toEqual([]);
  });

  it("starts with the next one if there is none at the start", async () => {
    const { states, root } = await filledState();
    const all = [...states.accountsFrom({ stateRoot: root }, FIRST)];

    for (const start of range(0, 100).map((number) => hashOf(addressOf(5000 + number)))) {
      const expected = all.filter(({ key }) => key >= start);
      expect([...states.accountsFrom({ stateRoot: root }, start)]).toEqual(expected);
    }
  });

  it("visits the current slots of an account", async () => {
    const { states, root } = await filledState();
    const state = states.open({ stateRoot: root });
    state.setStorage(CONTRACT, slotOf(7), 0n);
    state.setStorage(CONTRACT, slotOf(500), 9n);
    const expected = [...range(0, 7), ...range(8, 100), 500]
      .map((number) => ({
        key: hashOf(slotOf(number)),
        slot: slotOf(number),
        value: number === 500 ? 9n : BigInt(number + 1),
      }))
      .sort(byKey);

    expect([...states.slotsFrom(state, { address: CONTRACT, start: FIRST })]).toEqual(expected);
    expect([...states.slotsFrom(state, { address: addressOf(2), start: FIRST })]).toEqual([]);
    expect([...states.slotsFrom(state, { address: addressOf(999), start: FIRST })]).toEqual([]);
  });
});

/** Accounts 1 to 199, and slots 0 to 99 of the first. */
async function filledState(): Promise<{ readonly states: StateStore; readonly root: Hash }> {
  const states = new StateStore(await createMemoryStorageDriver().open({ folder: "" }));
  const state = states.open({ stateRoot: EMPTY_ROOT });
  for (const number of range(1, 200)) state.setAccount(addressOf(number), { balance: 1n });
  for (const slot of range(0, 100)) state.setStorage(CONTRACT, slotOf(slot), BigInt(slot + 1));
  const update = states.update(state);
  states.add(update);
  return { states, root: update.root };
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function byKey(a: { readonly key: Hash }, b: { readonly key: Hash }): number {
  return a.key < b.key ? -1 : 1;
}

function hashOf(identity: Hex): Hash {
  return keccakHash(hexToBytes(identity));
}

function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, "0")}`;
}

function slotOf(number: number): Hash {
  return `0x${number.toString(16).padStart(64, "0")}`;
}
