import type { KeyValueStore } from "@plinth/core";
import type { WriteBatch } from "@plinth/core/storage";
import { decodeGroup, encodeGroup, groupIdOf, type PrivacyGroup } from "./privacy-group.js";

const PARTIES = "enclave.party-groups";

/**
 * Groups that follow from the parties of payloads that others sent.
 *
 * With Tessera, only the manager of the sender has such a group. They are known here so that members may be asked about
 * them, but are not among those that a node finds.
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
