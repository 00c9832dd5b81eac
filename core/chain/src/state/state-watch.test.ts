import type { Address, Hash } from "@plinth/core";
import { createMemoryStorageDriver, EMPTY_ROOT, loadCrypto } from "@plinth/core";
import { beforeAll, describe, expect, it } from "vitest";
import { StateStore } from "./state-store.js";
import type { JournaledState } from "./world-state.js";

beforeAll(loadCrypto);

const ALICE: Address = `0x${"a1".repeat(20)}`;
const BOB: Address = `0x${"b0".repeat(20)}`;
const SLOT: Hash = `0x${"00".repeat(32)}`;
const CODE = Uint8Array.of(0x60, 0x01);
const NO_CODE = new Uint8Array();

describe("a watch", () => {
  it("reports the difference, account by account", async () => {
    const state = await openState();
    state.setAccount(BOB, { balance: 5n });
    const watch = state.watch();

    state.setAccount(BOB, { nonce: 1n });
    state.setCode(ALICE, CODE);
    state.setStorage(ALICE, SLOT, 7n);

    expect(watch.differences()).toEqual([
      {
        address: ALICE,
        before: undefined,
        after: { nonce: 0n, balance: 0n, code: CODE },
        slots: [{ slot: SLOT, before: 0n, after: 7n }],
      },
      {
        address: BOB,
        before: { nonce: 0n, balance: 5n, code: NO_CODE },
        after: { nonce: 1n, balance: 5n, code: NO_CODE },
        slots: [],
      },
    ]);
  });

  it("omits changes that were reverted or had no effect", async () => {
    const state = await openState();
    state.setStorage(ALICE, SLOT, 7n);
    const watch = state.watch();

    state.checkpoint();
    state.setAccount(BOB, { balance: 1n });
    state.setStorage(ALICE, SLOT, 8n);
    state.revert();
    state.setStorage(ALICE, SLOT, 9n);
    state.setStorage(ALICE, SLOT, 7n);

    expect(watch.differences()).toEqual([]);
  });

  it("contains the code of a deleted account, and none of its slots", async () => {
    const state = await openState();
    state.setCode(ALICE, CODE);
    state.setStorage(ALICE, SLOT, 7n);
    const watch = state.watch();

    state.setStorage(ALICE, SLOT, 8n);
    state.deleteAccount(ALICE);

    expect(watch.differences()).toEqual([
      {
        address: ALICE,
        before: { nonce: 0n, balance: 0n, code: CODE },
        after: undefined,
        slots: [],
      },
    ]);
  });

  it("records only changes after its start, until another one starts", async () => {
    const state = await openState();
    const first = state.watch();
    state.setAccount(ALICE, { balance: 1n });
    const second = state.watch();
    state.setAccount(BOB, { balance: 1n });

    expect(first.differences().map(({ address }) => address)).toEqual([ALICE]);
    expect(second.differences().map(({ address }) => address)).toEqual([BOB]);
  });
});

async function openState(): Promise<JournaledState> {
  const store = await createMemoryStorageDriver().open({ folder: "" });
  return new StateStore(store).open({ stateRoot: EMPTY_ROOT });
}
