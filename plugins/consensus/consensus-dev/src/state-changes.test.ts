import { keccak256, loadCrypto, type PluginTable, toHex } from "@plinth/core";
import type { Finalization } from "@plinth/core/consensus";
import { beforeAll, describe, expect, it } from "vitest";
import { StateChanges } from "./state-changes.js";

const BOB = "0x00000000000000000000000000000000000000b0";
/** A change as stored by an earlier build, under its hash only. */
const KEPT = Buffer.from(JSON.stringify({ address: BOB, balance: "0x5" }));

beforeAll(async () => {
  await loadCrypto();
});

/** The effect of a block with this extra data on balances. */
function balancesAfter(changes: StateChanges, extraData: Uint8Array): Record<string, bigint> {
  const balances: Record<string, bigint> = {};
  const state = {
    setAccount: (address: string, { balance = 0n }) => {
      balances[address] = balance;
    },
    findAccount: (address: string) => ({ nonce: 0n, balance: balances[address] }),
    getCode: () => new Uint8Array(),
    deleteAccount: () => {},
  };
  changes.apply({ block: { header: { extraData, number: 1n } }, state } as unknown as Finalization);
  return balances;
}

function openChanges(): StateChanges {
  const table = new Map([[toHex(keccak256(KEPT)), KEPT]]);
  const getSync = (key: Uint8Array) => table.get(toHex(key));
  return new StateChanges({ getSync } as unknown as PluginTable);
}

describe("a block that changes an account", () => {
  it("has a mark that is longer than the extra data an operator may set", () => {
    const changes = openChanges();
    const extraData = changes.add([{ address: BOB, balance: 7n }]);

    expect(extraData.length).toBeGreaterThan(32);
    expect(changes.isIn({ extraData })).toBe(true);
    expect(balancesAfter(changes, extraData)).toEqual({ [BOB]: 7n });
  });

  it("of an earlier build can be re-executed", () => {
    const changes = openChanges();

    expect(balancesAfter(changes, keccak256(KEPT))).toEqual({ [BOB]: 5n });
  });

  it("is not one whose extra data happens to have the length of a hash", () => {
    const changes = openChanges();

    expect(changes.isIn({ extraData: new Uint8Array(32) })).toBe(false);
    expect(balancesAfter(changes, new Uint8Array(32))).toEqual({});
  });

  it("is rejected if its change is unknown", () => {
    const extraData = openChanges().add([{ address: BOB, balance: 7n }]);

    expect(() => balancesAfter(openChanges(), extraData)).toThrow("unknown state change");
  });
});
