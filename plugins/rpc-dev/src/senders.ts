import { type Address, hexToBytes } from "@plinth/core";
import type { KnownAccount } from "./api.js";

/** Whose transactions the node makes itself: those whose keys it has, and those it was told to stand in for. */
export class Senders {
  /** Stands in for everybody. */
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
