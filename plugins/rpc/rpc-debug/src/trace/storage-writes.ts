import type { Address } from "@plinth/core";

/** Storage writes of a frame, by contract: slots and values of 64 digits. */
export class StorageWrites {
  readonly #byContract = new Map<Address, Map<string, string>>();

  set(address: Address, slot: bigint, value: bigint): void {
    let slots = this.#byContract.get(address);
    if (slots === undefined) {
      slots = new Map();
      this.#byContract.set(address, slots);
    }
    slots.set(digits(slot), digits(value));
  }

  /** The writes to one contract, ordered by slot. */
  of(address: Address): readonly (readonly [slot: string, value: string])[] {
    const slots = this.#byContract.get(address);
    return slots === undefined ? [] : [...slots].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Merges the writes of a committed frame. */
  merge(inner: StorageWrites): void {
    for (const [address, slots] of inner.#byContract) {
      const own = this.#byContract.get(address);
      if (own === undefined) this.#byContract.set(address, slots);
      else for (const [slot, value] of slots) own.set(slot, value);
    }
  }
}

function digits(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}
