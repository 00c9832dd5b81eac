import type { KeyValueStore } from "@plinth/core";
import type { WriteBatch } from "@plinth/core/storage";
import { decodeGroup, encodeGroup, groupIdOf, type PrivacyGroup } from "./privacy-group.js";

const PARTIES = "enclave.party-groups";

/**
 * Groups that follow from the parties of payloads sent by others.
 *
 * With Tessera, only the sender's manager has such a group. They are stored here so that members can be queried about
 * them, but a node does not find them.
 */
export class PartyGroups {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  find(id: Uint8Array): PrivacyGroup | undefined {
    const bytes = this.#store.table(PARTIES).getSync(id);
    return bytes && decodeGroup(bytes);
  }

  put(batch: WriteBatch, group: PrivacyGroup): void {
    batch.put(PARTIES, groupIdOf(group), encodeGroup(group));
  }
}
