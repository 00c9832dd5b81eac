import type { KeyValueStore, WriteBatch } from "@plinth/core";
import type { EncodedPayload } from "./encoded-payload.js";
import { decodeLegacy, encodeLegacy } from "./legacy-codec.js";
import { hashOf } from "./sealing.js";

const PAYLOADS = "enclave.payloads";

/** The payloads that this manager holds, by their hashes. */
export class PayloadStore {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  find(hash: Uint8Array): EncodedPayload | undefined {
    const bytes = this.#store.table(PAYLOADS).getSync(hash);
    return bytes && decodeLegacy(bytes);
  }

  /** Puts a payload into a batch; the batch decides when it is on the disk. */
  put(batch: WriteBatch, payload: EncodedPayload): void {
    batch.put(PAYLOADS, hashOf(payload), encodeLegacy(payload));
  }

  /** All of them, in the order of their hashes. */
  async *all(): AsyncGenerator<EncodedPayload> {
    for await (const [, bytes] of this.#store.table(PAYLOADS).iterate()) yield decodeLegacy(bytes);
  }
}
