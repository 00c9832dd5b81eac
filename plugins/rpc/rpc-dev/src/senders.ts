import { type Address, hexToBytes } from "@plinth/core";
import type { KnownAccount } from "./api.js";

/**
 * The senders of `eth_sendTransaction`: unlocked accounts, whose keys the node has, and
 * impersonated ones.
 */
export class Senders {
  /** Whether every sender is impersonated. */
  standsInForAll = false;
  readonly #keys: ReadonlyMap<Address, Uint8Array>;
  readonly #impersonated = new Set<Address>();

  constructor(unlocked: readonly KnownAccount[]) {
    this.#keys = new Map(
      unlocked.map(({ address, privateKey }) => [address, hexToBytes(privateKey)]),
    );
  }

  /** The accounts whose keys the node has. */
  unlocked(): readonly Address[] {
    return [...this.#keys.keys()];
  }

  keyOf(address: Address): Uint8Array | undefined {
    return this.#keys.get(address);
  }

  impersonate(address: Address): void {
    this.#impersonated.add(address);
  }

  stopImpersonating(address: Address): boolean {
    return this.#impersonated.delete(address);
  }

  isImpersonated(address: Address): boolean {
    return this.standsInForAll || this.#impersonated.has(address);
  }
}
