import type { Address, Hash } from "@plinth/core";
import { createMemoryStorageDriver, EMPTY_ROOT, loadCrypto } from "@plinth/core";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { keccakHash } from "@plinth/core/primitives";
import { beforeAll, describe, expect, it } from "vitest";
import { StateStore } from "./state-store.js";
import { StoredState } from "./stored-state.js";
import type { JournaledState } from "./world-state.js";

beforeAll(loadCrypto);

const ALICE: Address = `0x${"a1".repeat(20)}`;
const BOB: Address = `0x${"b0".repeat(20)}`;
const CAROL: Address = `0x${"ca".repeat(20)}`;
const SLOT: Hash = `0x${"00".repeat(32)}`;
const OTHER_SLOT: Hash = `0x${"01".repeat(32)}`;
const CODE = Uint8Array.of(0x60, 0x01);

describe("a stored state", () => {
  it("has the accounts, the code and the slots of its root", async () => {
    const state = await openStored();

    expect(state.findAccount(ALICE)).toEqual({
      nonce: 1n,
      balance: 5n,
      codeHash: keccakHash(CODE),
    });
    expect(state.getCode(ALICE)).toEqual(CODE);
    expect(state.getStorage(ALICE, SLOT)).toBe(7n);
    expect(state.getStorage(ALICE, OTHER_SLOT)).toBe(0n);
  });

  it("has no code and no slots of an account without them", async () => {
    const state = await openStored();

    expect(state.findAccount(BOB)).toEqual({ nonce: 0n, balance: 2n, codeHash: EMPTY_CODE_HASH });
    expect(state.getCode(BOB)).toEqual(new Uint8Array());
    expect(state.getStorage(BOB, SLOT)).toBe(0n);
  });

  it("has nothing of an account that does not exist", async () => {
    const state = await openStored();

    expect(state.findAccount(CAROL)).toBeUndefined();
    expect(state.getCode(CAROL)).toEqual(new Uint8Array());
    expect(state.getStorage(CAROL, SLOT)).toBe(0n);
  });
});

async function openStored(): Promise<StoredState> {
  return new StoredState((await openAccounts()).source);
}

/** A state with a contract and an account created by an earlier block. */
async function openAccounts(): Promise<JournaledState> {
  const states = new StateStore(await createMemoryStorageDriver().open({ folder: "" }));
  const state = states.open({ stateRoot: EMPTY_ROOT });
  state.setAccount(ALICE, { nonce: 1n, balance: 5n });
  state.setCode(ALICE, CODE);
  state.setStorage(ALICE, SLOT, 7n);
  state.setAccount(BOB, { balance: 2n });
  const update = states.update(state);
  states.add(update);
  return states.open({ stateRoot: update.root });
}
