import type { Clock, KeyValueStore } from "@plinth/core";
import type { WriteBatch } from "@plinth/core/storage";
import { EnclaveError, KEY_BYTES, toBase64 } from "@plinth/kit-enclave";
import type { EncodedPayload } from "../codec/encoded-payload.js";
import { hashOf } from "../crypto/sealing.js";
import type { Distribution } from "./distribution.js";
import { PayloadStore } from "./payload-store.js";

/** Keys are the recipient's key followed by the hash; values are the send time. */
const WAITING = "enclave.deliveries";
/** All recipients ever known. */
const RECIPIENTS = "enclave.recipients";
const TIME_BYTES = 8;
const PRESENT = Uint8Array.of(1);

/** A payload that a recipient has not received yet. */
export interface Undelivered {
  readonly recipient: Uint8Array;
  readonly hash: Uint8Array;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** Queues payloads for unreachable recipients, and delivers them later. */
export class Redelivery {
  readonly #store: KeyValueStore;
  readonly #payloads: PayloadStore;
  readonly #distribution: Distribution;
  readonly #clock: Clock;
  /** Why the last delivery to a recipient failed. */
  readonly #failures = new Map<string, string>();
  readonly #delivering = new Set<string>();

  constructor(parts: {
    readonly store: KeyValueStore;
    readonly distribution: Distribution;
    readonly clock: Clock;
  }) {
    this.#store = parts.store;
    this.#payloads = new PayloadStore(parts.store);
    this.#distribution = parts.distribution;
    this.#clock = parts.clock;
  }

  /** Throws for a recipient that no manager has ever announced. */
  verifyKnown(recipients: readonly Uint8Array[]): void {
    const known = this.#store.table(RECIPIENTS);
    const unknown = recipients.find(
      (key) => !this.#distribution.knows(key) && known.getSync(key) === undefined,
    );
    if (unknown === undefined) return;
    throw new EnclaveError(404, `Recipient not found for key: ${toBase64(unknown)}`);
  }

  /** Records recipients that a manager announces. */
  async remember(keys: readonly Uint8Array[]): Promise<void> {
    const known = this.#store.table(RECIPIENTS);
    const fresh = keys.filter((key) => known.getSync(key) === undefined);
    if (fresh.length === 0) return;
    const batch = this.#store.batch();
    for (const key of fresh) batch.put(RECIPIENTS, key, PRESENT);
    await batch.commit();
  }

  /** Records, with the payload itself, its pending recipients. */
  queue(batch: WriteBatch, payload: EncodedPayload, recipients: readonly Uint8Array[]): void {
    const since = Buffer.alloc(TIME_BYTES);
    since.writeBigUInt64BE(BigInt(this.#clock.now()));
    for (const key of recipients) batch.put(WAITING, entryKey(key, hashOf(payload)), since);
  }

  /** Tries each recipient once; failures stay queued. */
  async deliver(payload: EncodedPayload, recipients: readonly Uint8Array[]): Promise<void> {
    await Promise.all(recipients.map((key) => this.#deliverTo(key, payload)));
  }

  /** Delivers the queue of a recipient, in order of hash, until one fails. */
  async deliverWaiting(recipient: Uint8Array): Promise<void> {
    const name = toBase64(recipient);
    if (this.#delivering.has(name)) return;
    this.#delivering.add(name);
    try {
      for await (const { hash } of this.#waitingFor(recipient)) {
        const payload = this.#payloads.find(hash);
        if (payload === undefined)
          throw new Error(`the queued payload ${toBase64(hash)} is missing`);
        if (!(await this.#deliverTo(recipient, payload))) return;
      }
    } finally {
      this.#delivering.delete(name);
    }
  }

  /** All pending deliveries. */
  async *waiting(): AsyncGenerator<Undelivered> {
    yield* this.#read({});
  }

  /** Why the last delivery to a recipient failed. */
  failureOf(recipient: Uint8Array): string | undefined {
    return this.#failures.get(toBase64(recipient));
  }

  #waitingFor(recipient: Uint8Array): AsyncGenerator<Undelivered> {
    const to = Buffer.concat([recipient, Buffer.alloc(KEY_BYTES + 1, 0xff)]);
    return this.#read({ from: recipient, to });
  }

  async *#read(range: { from?: Uint8Array; to?: Uint8Array }): AsyncGenerator<Undelivered> {
    for await (const [key, value] of this.#store.table(WAITING).iterate(range)) {
      const since = Number(Buffer.from(value).readBigUInt64BE());
      yield { recipient: key.slice(0, KEY_BYTES), hash: key.slice(KEY_BYTES), since };
    }
  }

  /** Returns whether it arrived. */
  async #deliverTo(recipient: Uint8Array, payload: EncodedPayload): Promise<boolean> {
    const name = toBase64(recipient);
    try {
      await this.#distribution.pushTo(recipient, payload);
    } catch (error) {
      if (!(error instanceof EnclaveError)) throw error;
      this.#failures.set(name, error.message);
      return false;
    }
    this.#failures.delete(name);
    const batch = this.#store.batch();
    batch.delete(WAITING, entryKey(recipient, hashOf(payload)));
    await batch.commit();
    return true;
  }
}

function entryKey(recipient: Uint8Array, hash: Uint8Array): Uint8Array {
  return Buffer.concat([recipient, hash]);
}
