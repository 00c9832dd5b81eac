import type { KeyValueStore } from "@plinth/core";
import type { WriteBatch } from "@plinth/core/storage";
import { KEY_BYTES } from "@plinth/kit-enclave";
import {
  decodeGroup,
  encodeGroup,
  groupIdOf,
  lookupIdOf,
  type PrivacyGroup,
} from "./privacy-group.js";

const GROUPS = "enclave.groups";
/** Keys are the id of the members followed by the id of the group. */
const LOOKUP = "enclave.group-lookup";
/** Table with the number of stored groups. */
const COUNTS = "enclave.counts";
const GROUP_COUNT = Buffer.from("groups");
const ACTIVE = Buffer.from("ACTIVE");
const ORDER_BYTES = 8;
const MAX_GROUPS = 100_000n;

/** The privacy groups known to this manager, including deleted ones. */
export class GroupStore {
  readonly #store: KeyValueStore;
  #last: bigint | undefined;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /** Finds a group that has not been deleted. */
  find(id: Uint8Array): PrivacyGroup | undefined {
    const group = this.findAny(id);
    return group?.state === "ACTIVE" ? group : undefined;
  }

  /** Finds a group, deleted or not. */
  findAny(id: Uint8Array): PrivacyGroup | undefined {
    const bytes = this.#store.table(GROUPS).getSync(id);
    return bytes && decodeGroup(bytes);
  }

  /** The groups of exactly these members, in order of arrival. */
  async findByMembers(members: readonly Uint8Array[]): Promise<readonly PrivacyGroup[]> {
    const from = lookupIdOf(members);
    const to = Buffer.concat([from, Buffer.alloc(KEY_BYTES + 1, 0xff)]);
    const found: { readonly group: PrivacyGroup; readonly order: Buffer }[] = [];
    for await (const [key, order] of this.#store.table(LOOKUP).iterate({ from, to })) {
      const group = this.find(key.subarray(from.length));
      if (group !== undefined) found.push({ group, order: Buffer.from(order) });
    }
    return found.sort((a, b) => Buffer.compare(a.order, b.order)).map(({ group }) => group);
  }

  put(batch: WriteBatch, group: PrivacyGroup): void {
    const id = groupIdOf(group);
    const lookup = Buffer.concat([lookupIdOf(group.members), id]);
    batch.put(GROUPS, id, encodeGroup(group));
    if (this.#store.table(LOOKUP).getSync(lookup) !== undefined) return;
    const order = this.#nextOrder();
    batch.put(LOOKUP, lookup, order);
    batch.put(COUNTS, GROUP_COUNT, order);
  }

  /** Whether the limit is reached, so that no more groups are accepted from other managers. */
  get isFull(): boolean {
    return this.#count() >= MAX_GROUPS;
  }

  /** Number of groups that have not been deleted. */
  async countActive(): Promise<number> {
    let count = 0;
    for await (const [, bytes] of this.#store.table(GROUPS).iterate()) {
      // The state is the last field.
      if (Buffer.from(bytes).subarray(-ACTIVE.length).equals(ACTIVE)) count += 1;
    }
    return count;
  }

  #count(): bigint {
    if (this.#last !== undefined) return this.#last;
    const stored = this.#store.table(COUNTS).getSync(GROUP_COUNT);
    return stored === undefined ? 0n : Buffer.from(stored).readBigUInt64BE();
  }

  #nextOrder(): Uint8Array {
    this.#last = this.#count() + 1n;
    const order = Buffer.alloc(ORDER_BYTES);
    order.writeBigUInt64BE(this.#last);
    return order;
  }
}
