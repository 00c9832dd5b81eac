import type { Address, Hash, PluginTable, StateReader } from "@plinth/core";
import { InvariantError } from "@plinth/core";
import type { PluginState, PluginStatePlace, PluginStateUpdate } from "@plinth/core/chain";
import type { Account } from "@plinth/core/evm";
import { EMPTY_CODE_HASH, ReadOnlyAccount } from "@plinth/core/evm";
import { StateStore } from "./state-store.js";
import type { JournaledState } from "./world-state.js";

/** The states of plugins, each in a table of its plugin. */
export class PluginStates {
  readonly #stores = new WeakMap<PluginTable, StateStore>();

  open({ table, root, under }: PluginStatePlace): PluginState {
    const states = this.#storeOf(table);
    return new OverlaidState({ states, table, own: states.open({ stateRoot: root }), under });
  }

  /** Nodes, code and preimages share a table: all of them are keyed by a hash. */
  #storeOf(table: PluginTable): StateStore {
    let states = this.#stores.get(table);
    if (states === undefined) {
      states = new StateStore({ table: () => table });
      this.#stores.set(table, states);
    }
    return states;
  }
}

interface Parts {
  readonly states: StateStore;
  readonly table: PluginTable;
  readonly own: JournaledState;
  readonly under: StateReader | undefined;
}

class OverlaidState implements PluginState {
  readonly #parts: Parts;
  readonly #own: JournaledState;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#own = parts.own;
  }

  findAccount(address: Address): Account | undefined {
    return this.#findLower(address) ?? this.#own.findAccount(address);
  }

  getCode(address: Address): Uint8Array {
    return this.#readerOf(address).getCode(address);
  }

  getStorage(address: Address, slot: Hash): bigint {
    return this.#readerOf(address).getStorage(address, slot);
  }

  hasStorage(address: Address): boolean {
    return this.#own.hasStorage(address);
  }

  setAccount(address: Address, change: Partial<Pick<Account, "nonce" | "balance">>): void {
    const lower = this.#findLower(address);
    if (lower === undefined) {
      this.#own.setAccount(address, change);
      return;
    }
    const { nonce = lower.nonce, balance = lower.balance } = change;
    // An EVM writes back accounts that it only read.
    if (nonce !== lower.nonce || balance !== lower.balance) throw new ReadOnlyAccount(address);
  }

  setCode(address: Address, code: Uint8Array): void {
    this.#verifyOwn(address);
    this.#own.setCode(address, code);
  }

  setStorage(address: Address, slot: Hash, value: bigint): void {
    this.#verifyOwn(address);
    this.#own.setStorage(address, slot, value);
  }

  clearStorage(address: Address): void {
    this.#verifyOwn(address);
    this.#own.clearStorage(address);
  }

  deleteAccount(address: Address): void {
    this.#verifyOwn(address);
    this.#own.deleteAccount(address);
  }

  get own(): JournaledState {
    return this.#own;
  }

  isReadOnly(address: Address): boolean {
    return this.#findLower(address) !== undefined;
  }

  checkpoint(): void {
    this.#own.checkpoint();
  }

  commit(): void {
    this.#own.commit();
  }

  revert(): void {
    this.#own.revert();
  }

  update(): PluginStateUpdate {
    const { states, table } = this.#parts;
    const update = states.update(this.#own);
    states.add(update);
    return {
      root: update.root,
      writeTo(batch) {
        const put = (_: string, key: Uint8Array, value: Uint8Array) => batch.put(table, key, value);
        batch.onCommitted(states.writeTo({ put, delete: neverDeletes }));
      },
    };
  }

  /** The underlying account, unless its own hides it. */
  #findLower(address: Address): Account | undefined {
    const { under } = this.#parts;
    if (under === undefined || !isEmpty(this.#own.findAccount(address))) return undefined;
    const lower = under.findAccount(address);
    return isEmpty(lower) ? undefined : lower;
  }

  #readerOf(address: Address): StateReader {
    const { under } = this.#parts;
    return under !== undefined && this.isReadOnly(address) ? under : this.#own;
  }

  #verifyOwn(address: Address): void {
    if (this.isReadOnly(address)) throw new ReadOnlyAccount(address);
  }
}

/** Empty (EIP-161), or missing. */
function isEmpty(account: Account | undefined): boolean {
  if (account === undefined) return true;
  const { nonce, balance, codeHash } = account;
  return nonce === 0n && balance === 0n && codeHash === EMPTY_CODE_HASH;
}

function neverDeletes(): never {
  throw new InvariantError("a layout that keeps every state deletes nothing");
}
