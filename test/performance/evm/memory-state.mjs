// A state in memory, without roots: only the EVM is measured.
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { keccakHash } from "@plinth/core/primitives";

const NO_CODE = new Uint8Array();

/** Creates a world state with some accounts: `{ address: { balance, code } }`. */
export function createMemoryState(accounts) {
  const entries = new Map();
  const undo = [];
  const checkpoints = [];
  const entryOf = (address) => {
    let entry = entries.get(address);
    if (entry === undefined) {
      entry = { account: undefined, code: NO_CODE, slots: new Map() };
      entries.set(address, entry);
    }
    return entry;
  };
  const change = (entry, field, value) => {
    const before = entry[field];
    undo.push(() => {
      entry[field] = before;
    });
    entry[field] = value;
  };
  const state = {
    findAccount: (address) => entryOf(address).account,
    getCode: (address) => entryOf(address).code,
    getStorage: (address, slot) => entryOf(address).slots.get(slot) ?? 0n,
    hasStorage: (address) => [...entryOf(address).slots.values()].some((value) => value !== 0n),
    setAccount(address, { nonce, balance }) {
      const entry = entryOf(address);
      const before = entry.account ?? { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };
      change(entry, "account", {
        ...before,
        nonce: nonce ?? before.nonce,
        balance: balance ?? before.balance,
      });
    },
    setCode(address, code) {
      state.setAccount(address, {});
      const entry = entryOf(address);
      change(entry, "account", { ...entry.account, codeHash: keccakHash(code) });
      change(entry, "code", new Uint8Array(code));
    },
    setStorage(address, slot, value) {
      const { slots } = entryOf(address);
      const before = slots.get(slot);
      undo.push(() => (before === undefined ? slots.delete(slot) : slots.set(slot, before)));
      slots.set(slot, value);
    },
    clearStorage: (address) => change(entryOf(address), "slots", new Map()),
    deleteAccount(address) {
      const entry = entryOf(address);
      change(entry, "account", undefined);
      change(entry, "code", NO_CODE);
      change(entry, "slots", new Map());
    },
    checkpoint: () => void checkpoints.push(undo.length),
    commit: () => void checkpoints.pop(),
    revert() {
      const start = checkpoints.pop();
      while (undo.length > start) undo.pop()();
    },
  };
  for (const [address, { balance = 0n, code }] of Object.entries(accounts)) {
    state.setAccount(address, { balance });
    if (code !== undefined) state.setCode(address, Buffer.from(code.slice(2), "hex"));
  }
  return state;
}
