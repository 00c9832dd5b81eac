import type { KeyValueStore } from "@plinth/core";
import type { WriteBatch } from "@plinth/core/storage";
import { EnclaveError } from "@plinth/kit-enclave";
import type { Caller } from "../peers/caller.js";

/** Table with the number of groups that each party has announced. */
const ANNOUNCED = "enclave.announced-groups";
const UNPROVEN = "unproven";
const COUNT_BYTES = 8;
/** Maximum for a manager that has proven to hold the key of a member. */
const MAX_OF_PARTY = 10_000;
/** Maximum for callers that have not: per caller, and in total. */
const MAX_UNPROVEN_OF_ADDRESS = 100;
const MAX_UNPROVEN = 1000;

/**
 * Counts the groups announced by other managers, so that none of them uses up the capacity for the
 * others.
 */
export class AnnouncedGroups {
  readonly #store: KeyValueStore;
  /** Ahead of the disk while groups are being written. */
  readonly #counts = new Map<string, number>();

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** Throws if a caller has reached its limit. */
  verifyRoom(caller: Caller, { isProven }: { readonly isProven: boolean }): void {
    const own = this.#countOf(partyOf(caller, isProven));
    const isFull = isProven
      ? own >= MAX_OF_PARTY
      : own >= MAX_UNPROVEN_OF_ADDRESS || this.#countOf(UNPROVEN) >= MAX_UNPROVEN;
    if (isFull) throw new EnclaveError(503, "no more groups are accepted from this manager");
  }

  /** Counts a group of a caller, in the batch that stores it. */
  count(batch: WriteBatch, caller: Caller, { isProven }: { readonly isProven: boolean }): void {
    this.#increment(batch, partyOf(caller, isProven));
    if (!isProven) this.#increment(batch, UNPROVEN);
  }

  #increment(batch: WriteBatch, party: string): void {
    const count = this.#countOf(party) + 1;
    this.#counts.set(party, count);
    const bytes = Buffer.alloc(COUNT_BYTES);
    bytes.writeBigUInt64BE(BigInt(count));
    batch.put(ANNOUNCED, Buffer.from(party), bytes);
  }

  #countOf(party: string): number {
    const known = this.#counts.get(party);
    if (known !== undefined) return known;
    const stored = this.#store.table(ANNOUNCED).getSync(Buffer.from(party));
    return stored === undefined ? 0 : Number(Buffer.from(stored).readBigUInt64BE());
  }
}

function partyOf({ address, certificate }: Caller, isProven: boolean): string {
  return `${isProven ? "proven" : UNPROVEN} ${certificate ?? address}`;
}
