import type { Address, Hash } from "@plinth/core";
import type { PluginState } from "@plinth/core/chain";
import type { Account, WorldState } from "@plinth/core/evm";

/**
 * A state whose frames share one journal, as in Besu's private execution.
 *
 * A successful frame commits everything written so far, including by its parent frames; a failed frame reverts
 * everything since the last commit, not only its own changes. All members of a group must agree on the outcome, so
 * this is a consensus rule of existing networks.
 */
export class SharedJournal implements WorldState {
  readonly #state: PluginState;

  constructor(state: PluginState) {
    this.#state = state;
    state.checkpoint();
  }

  /** Ends the execution: changes that were not reverted become part of the enclosing checkpoint. */
  close(): void {
    this.#state.commit();
  }

  checkpoint(): void {
    // All frames share the open one.
  }

  commit(): void {
    this.#state.commit();
    this.#state.checkpoint();
  }

  revert(): void {
    this.#state.revert();
    this.#state.checkpoint();
  }

  findAccount(address: Address): Account | undefined {
    return this.#state.findAccount(address);
  }

  getCode(address: Address): Uint8Array {
    return this.#state.getCode(address);
  }

  getStorage(address: Address, slot: Hash): bigint {
    return this.#state.getStorage(address, slot);
  }

  hasStorage(address: Address): boolean {
    return this.#state.hasStorage(address);
  }

  isReadOnly(address: Address): boolean {
    return this.#state.isReadOnly(address);
  }

  setAccount(address: Address, change: Partial<Pick<Account, "nonce" | "balance">>): void {
    this.#state.setAccount(address, change);
  }

  setCode(address: Address, code: Uint8Array): void {
    this.#state.setCode(address, code);
  }

  setStorage(address: Address, slot: Hash, value: bigint): void {
    this.#state.setStorage(address, slot, value);
  }

  clearStorage(address: Address): void {
    this.#state.clearStorage(address);
  }

  deleteAccount(address: Address): void {
    this.#state.deleteAccount(address);
  }
}
