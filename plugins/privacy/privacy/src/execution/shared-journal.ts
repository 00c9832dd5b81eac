import type { Address, Hash } from "@plinth/core";
import type { PluginState } from "@plinth/core/chain";
import type { Account, WorldState } from "@plinth/core/evm";

/**
 * A state whose frames share one journal, as those of Besu's private execution do.
 *
 * A frame that succeeds keeps everything that was written so far, also by the frames around it; one that fails
 * takes back everything since then, not only its own. All members of a group must agree on the outcome, so that
 * this is a rule of existing networks.
 */
export class SharedJournal implements WorldState {
  readonly #state: PluginState;

  constructor(state: PluginState) {
    this.#state = state;
    state.checkpoint();
  }

  /** Ends the run: what is not taken back is a part of the checkpoint around it. */
  close(): void {
    this.#state.commit();
  }

  checkpoint(): void {
    // All frames share the one that is open.
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
