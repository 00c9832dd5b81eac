import type { Clock, KeyValueStore } from "@plinth/core";
import { Mutex, Signal } from "@plinth/core/async";
import { EnclaveError, legacyGroupId, toBase64 } from "@plinth/kit-enclave";
import type { EncodedPayload } from "../codec/encoded-payload.js";
import { hashOf } from "../crypto/sealing.js";
import type { DurableWrites } from "../durable-writes.js";
import type { GroupStore } from "../groups/group-store.js";
import type { Caller } from "../peers/caller.js";
import type { Peers } from "../peers/peers.js";
import { merge, verifySame } from "./merge-payloads.js";
import { PayloadStore } from "./payload-store.js";
import type { Resends } from "./resends.js";

const ASIDE = "enclave.returned-payloads";
/** How long a push waits for its sender to become known. */
const WAIT_MS = 60_000;
/** Maximum number of waiting pushes. */
const MAX_WAITING = 64;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;

/**
 * Validates payloads that are returned to the manager they were sent from.
 *
 * The key of a box is the same from both sides: anyone with a key pair can forge a payload that seems to come from here,
 * for a group of others. A payload is accepted only from a manager that was asked to resend and that holds the key of
 * the recipient, and only if that recipient is a member of the group.
 */
export class ReturnedPayloads {
  readonly #writes: DurableWrites;
  readonly #aside: PayloadStore;
  readonly #groups: GroupStore;
  readonly #peers: Peers;
  readonly #resends: Resends;
  readonly #clock: Clock;
  readonly #progress: Signal;
  readonly #mutex = new Mutex();
  #waiting = 0;
  #bytes = 0;

  constructor(parts: {
    readonly store: KeyValueStore;
    readonly writes: DurableWrites;
    readonly groups: GroupStore;
    readonly peers: Peers;
    readonly resends: Resends;
    readonly clock: Clock;
  }) {
    this.#writes = parts.writes;
    this.#aside = new PayloadStore(parts.store, ASIDE);
    this.#groups = parts.groups;
    this.#peers = parts.peers;
    this.#resends = parts.resends;
    this.#clock = parts.clock;
    this.#progress = new Signal(parts.clock);
  }

  /** Another manager is known: waiting pushes may be accepted now. */
  peersMoved(): void {
    this.#progress.notify();
  }

  /**
   * A payload that was set aside and whose recipients are known to be members of its group by now.
   */
  find(hash: Uint8Array): EncodedPayload | undefined {
    const payload = this.#aside.find(hash);
    return payload !== undefined && this.#isForItsGroup(payload) ? payload : undefined;
  }

  /**
   * All payloads that were set aside, and whether they can be decrypted by now: all parts are
   * present, and the group is known.
   */
  async *all(): AsyncGenerator<{ readonly payload: EncodedPayload; readonly isWhole: boolean }> {
    for await (const payload of this.#aside.all()) {
      yield { payload, isWhole: this.#isForItsGroup(payload) };
    }
  }

  /**
   * Adds the parts that its recipients have returned to the payload; `undefined` if it was set aside because its group
   * is unknown: all members together prove the group, each by returning its own part.
   *
   * Throws if it must not be accepted.
   */
  async take(returned: EncodedPayload, caller: Caller): Promise<EncodedPayload | undefined> {
    await this.#verifyCaller(returned, caller);
    // Members may return it at the same time: the part of one must not replace that of another.
    return this.#mutex.run(() => this.#add(returned));
  }

  async #add(returned: EncodedPayload): Promise<EncodedPayload | undefined> {
    const before = this.#aside.find(hashOf(returned));
    if (before !== undefined) verifySame(before, returned);
    const whole = before === undefined ? returned : merge(before, returned);
    if (this.#isForItsGroup(whole)) return whole;
    if (whole !== before) await this.#writes.write((batch) => this.#aside.put(batch, whole));
    return undefined;
  }

  /**
   * Throws unless the caller was asked and holds the keys; waits briefly for a caller that is about
   * to become known.
   */
  async #verifyCaller(returned: EncodedPayload, caller: Caller): Promise<void> {
    if (!this.#resends.isUnderWay) throw refusal();
    const bytes = returned.cipherText.length;
    if (this.#waiting >= MAX_WAITING || this.#bytes + bytes > MAX_WAITING_BYTES) {
      throw new EnclaveError(
        503,
        "too many payloads are waiting for the managers of their recipients",
      );
    }
    const deadline = this.#clock.now() + WAIT_MS;
    this.#waiting += 1;
    this.#bytes += bytes;
    try {
      while (!this.#isAsked(caller, returned.recipientKeys)) {
        const leftMs = deadline - this.#clock.now();
        if (leftMs <= 0) throw refusal();
        await this.#progress.nextWithin({ timeoutMs: leftMs });
      }
    } finally {
      this.#waiting -= 1;
      this.#bytes -= bytes;
    }
  }

  #isAsked(caller: Caller, recipients: readonly Uint8Array[]): boolean {
    return recipients.every((key) => {
      const peer = this.#peers.findCaller(caller, [key]);
      return peer !== undefined && this.#resends.isAsked(peer.url);
    });
  }

  #isForItsGroup({ senderKey, recipientKeys, privacyGroupId }: EncodedPayload): boolean {
    if (privacyGroupId === undefined) return false;
    const parties = [senderKey, ...recipientKeys];
    const group = this.#groups.find(privacyGroupId);
    if (group === undefined) {
      return Buffer.compare(legacyGroupId(parties), privacyGroupId) === 0;
    }
    const members = new Set(group.members.map(toBase64));
    return parties.every((key) => members.has(toBase64(key)));
  }
}

function refusal(): EnclaveError {
  return new EnclaveError(400, "the payload was not encrypted for a key of this manager");
}
