import { ReadOnlyAccount } from "../../evm/read-only-account.js";
import type { Account, StateReader, WorldState } from "../../evm/world-state.js";
import type { Address, Hash } from "../../primitives/hex.js";
import type { PluginBatch, PluginTable } from "../../storage/plugin-table.js";
import { StateStore } from "./state-store.js";
import type { JournaledState } from "./world-state.js";

/** What a plugin's state has become. */
export interface PluginStateUpdate {
  readonly root: Hash;
  /** Puts what is new into the batch of a block. */
  writeTo(batch: PluginBatch): void;
}

/** A world state of a plugin's own, with a root of its own. */
export interface PluginState extends WorldState {
  /** Makes an empty account in front of one that is only read, so that it can be changed here. */
  adopt(address: Address): void;
  /** Computes the root; the state can be opened at it from now on. */
  update(): PluginStateUpdate;
}

/** Where a plugin's state is opened. */
export interface PluginStatePlace {
  readonly table: PluginTable;
  readonly root: Hash;
  /** A state that is only read: it answers for accounts which the plugin's own state does not have. */
  readonly under?: StateReader;
}

/** The states of plugins, each in a table of its plugin. */
export class PluginStates {
  readonly #stores = new WeakMap<PluginTable, StateStore>();

  open({ table, root, under }: PluginStatePlace): PluginState {
    const states = this.#storeOf(table);
    return new OverlaidState({ states, table, own: states.open(root), under });
  }

  /** Nodes, code and preimages share a table: all of them are found by a hash. */
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
  readonly #under: StateReader | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#own = parts.own;
    this.#under = parts.under;
  }

  findAccount(address: Address): Account | undefined {
    return this.#own.findAccount(address) ?? this.#under?.findAccount(address);
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

  adopt(address: Address): void {
    if (this.#own.findAccount(address) === undefined) this.#own.setAccount(address, {});
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
        const release = states.writeTo({
          put: (_, key, value) => batch.put(table, key, value),
        });
        batch.onCommitted(release);
      },
    };
  }

  /** The account below, where none of its own hides it. */
  #findLower(address: Address): Account | undefined {
    if (this.#own.findAccount(address) !== undefined) return undefined;
    return this.#under?.findAccount(address);
  }

  #readerOf(address: Address): StateReader {
    if (this.#under === undefined || this.#findLower(address) === undefined) return this.#own;
    return this.#under;
  }

  #verifyOwn(address: Address): void {
    if (this.#findLower(address) !== undefined) throw new ReadOnlyAccount(address);
  }
}
