import type { KeyValueStore } from "@plinth/core";
import type { WriteBatch } from "@plinth/core/storage";
import type { EncodedPayload } from "../codec/encoded-payload.js";
import { decodeLegacy, encodeLegacy } from "../codec/legacy-codec.js";
import { hashOf } from "../crypto/sealing.js";

const PAYLOADS = "enclave.payloads";

/** The stored payloads, by hash. */
export class PayloadStore {
  readonly #store: KeyValueStore;
  readonly #table: string;

  constructor(store: KeyValueStore, table = PAYLOADS) {
    this.#store = store;
    this.#table = table;
  }

  find(hash: Uint8Array): EncodedPayload | undefined {
    const bytes = this.#store.table(this.#table).getSync(hash);
    return bytes && decodeLegacy(bytes);
  }

  /** Adds a payload to a batch; the batch decides when it is on disk. */
  put(batch: WriteBatch, payload: EncodedPayload): void {
    batch.put(this.#table, hashOf(payload), encodeLegacy(payload));
  }

  /** All of them, ordered by hash. */
  async *all(): AsyncGenerator<EncodedPayload> {
    for await (const [, bytes] of this.#store.table(this.#table).iterate())
      yield decodeLegacy(bytes);
  }
}
