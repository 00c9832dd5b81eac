import type { Address, Hash } from "@plinth/core";
import { createMemoryStorageDriver, EMPTY_ROOT, loadCrypto } from "@plinth/core";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { keccakHash } from "@plinth/core/primitives";
import { beforeAll, describe, expect, it } from "vitest";
import { StateStore } from "./state-store.js";
import type { JournaledState } from "./world-state.js";

beforeAll(loadCrypto);

const ALICE: Address = `0x${"a1".repeat(20)}`;
const SLOT: Hash = `0x${"00".repeat(32)}`;
const OTHER_SLOT: Hash = `0x${"01".repeat(32)}`;
const CODE = Uint8Array.of(0x60, 0x01);

describe("an account", () => {
  it("is created by the first change to it", async () => {
    const state = await openState();

    state.setAccount(ALICE, { balance: 1n });

    expect(state.findAccount(ALICE)).toEqual({ nonce: 0n, balance: 1n, codeHash: EMPTY_CODE_HASH });
  });

  it("may exist and be empty", async () => {
    const state = await openState();

    state.setAccount(ALICE, {});

    expect(state.findAccount(ALICE)).toEqual({ nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH });
  });

  it("keeps fields that a change does not contain", async () => {
    const state = await openAlice();

    state.setAccount(ALICE, { nonce: 9n });

    expect(state.findAccount(ALICE)).toEqual({
      nonce: 9n,
      balance: 5n,
      codeHash: keccakHash(CODE),
    });
    expect(state.getStorage(ALICE, SLOT)).toBe(7n);
  });

  it.each([
    ["balance", { balance: 2n ** 256n }],
    ["nonce", { nonce: 2n ** 64n }],
  ])("cannot have a %s that is too large", async (field, change) => {
    const state = await openAlice();

    expect(() => state.setAccount(ALICE, change)).toThrow(`the ${field} of ${ALICE} would exceed`);
    expect(state.findAccount(ALICE)).toMatchObject({ nonce: 1n, balance: 5n });
  });

  it("has no code, no storage and no fields once it is deleted", async () => {
    const state = await openAlice();

    state.deleteAccount(ALICE);

    expect(state.findAccount(ALICE)).toBeUndefined();
    expect(state.getCode(ALICE)).toEqual(new Uint8Array());
    expect(state.getStorage(ALICE, SLOT)).toBe(0n);
  });

  it("starts empty when it is recreated after its deletion", async () => {
    const state = await openAlice();

    state.deleteAccount(ALICE);
    state.setStorage(ALICE, OTHER_SLOT, 1n);

    expect(state.findAccount(ALICE)).toEqual({ nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH });
    expect(state.getStorage(ALICE, SLOT)).toBe(0n);
    expect(state.getStorage(ALICE, OTHER_SLOT)).toBe(1n);
  });

  it("keeps everything but its slots when its storage is cleared", async () => {
    const state = await openAlice();

    state.clearStorage(ALICE);

    expect(state.getStorage(ALICE, SLOT)).toBe(0n);
    expect(state.findAccount(ALICE)?.balance).toBe(5n);
    expect(state.getCode(ALICE)).toEqual(CODE);
  });

  it("is not created by a zero in its storage or by clearing it", async () => {
    const state = await openState();

    state.setStorage(ALICE, SLOT, 0n);
    state.clearStorage(ALICE);

    expect(state.findAccount(ALICE)).toBeUndefined();
  });

  it("may lose its code again", async () => {
    const state = await openAlice();

    state.setCode(ALICE, new Uint8Array());

    expect(state.findAccount(ALICE)?.codeHash).toBe(EMPTY_CODE_HASH);
    expect(state.getCode(ALICE)).toEqual(new Uint8Array());
  });

  it("copies the bytes of its code", async () => {
    const state = await openState();
    const code = new Uint8Array(CODE);

    state.setCode(ALICE, code);
    code.fill(0);

    expect(state.getCode(ALICE)).toEqual(CODE);
  });
});

describe("an attempt", () => {
  it("keeps the changes of work that succeeds", async () => {
    const state = await openAlice();

    const answer = await state.attempt(async () => {
      state.setAccount(ALICE, { balance: 9n });
      return "done";
    });

    expect(answer).toBe("done");
    expect(state.findAccount(ALICE)?.balance).toBe(9n);
  });

  it("reverts everything when work fails with open checkpoints", async () => {
    const state = await openAlice();
    state.checkpoint();
    state.setAccount(ALICE, { balance: 6n });

    const attempt = state.attempt(async () => {
      state.setAccount(ALICE, { balance: 7n });
      state.checkpoint();
      state.setStorage(ALICE, SLOT, 1n);
      state.checkpoint();
      state.deleteAccount(ALICE);
      throw new Error("halfway");
    });

    await expect(attempt).rejects.toThrow("halfway");
    expect(state.findAccount(ALICE)?.balance).toBe(6n);
    expect(state.getStorage(ALICE, SLOT)).toBe(7n);
    state.revert();
    expect(state.findAccount(ALICE)?.balance).toBe(5n);
  });

  it("throws if work that succeeds leaves a checkpoint open", async () => {
    const state = await openAlice();

    const attempt = state.attempt(async () => state.checkpoint());

    await expect(attempt).rejects.toMatchObject({ code: "INVARIANT_BROKEN" });
  });
});

describe("a checkpoint", () => {
  it.each<[string, (state: JournaledState) => void]>([
    ["a balance", (state) => state.setAccount(ALICE, { balance: 6n })],
    ["code", (state) => state.setCode(ALICE, Uint8Array.of(1))],
    ["a slot", (state) => state.setStorage(ALICE, SLOT, 8n)],
    ["cleared storage", (state) => state.clearStorage(ALICE)],
    ["a deletion", (state) => state.deleteAccount(ALICE)],
    [
      "a new account in place of the old one",
      (state) => {
        state.deleteAccount(ALICE);
        state.setStorage(ALICE, SLOT, 1n);
      },
    ],
  ])("takes back %s", async (_, change) => {
    const state = await openAlice();
    state.setStorage(ALICE, OTHER_SLOT, 3n);

    state.checkpoint();
    change(state);
    state.revert();

    expect(state.findAccount(ALICE)).toEqual({
      nonce: 1n,
      balance: 5n,
      codeHash: keccakHash(CODE),
    });
    expect(state.getCode(ALICE)).toEqual(CODE);
    expect(state.getStorage(ALICE, SLOT)).toBe(7n);
    expect(state.getStorage(ALICE, OTHER_SLOT)).toBe(3n);
  });

  it("reverts changes committed inside it", async () => {
    const state = await openAlice();

    state.checkpoint();
    state.checkpoint();
    state.setAccount(ALICE, { balance: 6n });
    state.commit();
    state.revert();

    expect(state.findAccount(ALICE)?.balance).toBe(5n);
  });

  it("keeps earlier changes when a nested one is reverted", async () => {
    const state = await openAlice();

    state.checkpoint();
    state.setAccount(ALICE, { balance: 6n });
    state.checkpoint();
    state.setAccount(ALICE, { balance: 7n });
    state.revert();
    state.commit();

    expect(state.findAccount(ALICE)?.balance).toBe(6n);
  });

  it.each(["commit", "revert"] as const)("has to be open for %s", async (end) => {
    const state = await openState();

    expect(() => state[end]()).toThrow(expect.objectContaining({ code: "INVARIANT_BROKEN" }));
  });
});

async function openState(): Promise<JournaledState> {
  return (await openStates()).open({ stateRoot: EMPTY_ROOT });
}

/** A state with one account created by an earlier block. */
async function openAlice(): Promise<JournaledState> {
  const states = await openStates();
  const state = states.open({ stateRoot: EMPTY_ROOT });
  state.setAccount(ALICE, { nonce: 1n, balance: 5n });
  state.setCode(ALICE, CODE);
  state.setStorage(ALICE, SLOT, 7n);
  const update = states.update(state);
  states.add(update);
  return states.open({ stateRoot: update.root });
}

async function openStates(): Promise<StateStore> {
  return new StateStore(await createMemoryStorageDriver().open({ folder: "" }));
}
