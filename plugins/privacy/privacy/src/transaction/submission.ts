import { randomBytes } from "node:crypto";
import {
  type Address,
  type Clock,
  getCrypto,
  type Hash,
  type Pool,
  RejectedTransaction,
  yieldToLoop,
} from "@plinth/core";
import { Mutex, Signal } from "@plinth/core/async";
import { signTransaction } from "@plinth/core/blocks";
import { type EnclaveClient, restAfter, toBase64 } from "@plinth/kit-enclave";
import type { FlexibleSending } from "../flexible/flexible-sending.js";
import { FLEXIBLE_MARKER_ADDRESS, MARKER_ADDRESS } from "../markers/marker.js";
import { PrivateRejection } from "./private-rejection.js";
import {
  encodePrivateTransaction,
  groupOf,
  type PrivateTransaction,
} from "./private-transaction.js";
import { verifyPrivateTransaction } from "./verify-private-transaction.js";

/** How long a marker waits for capacity in the pool. */
const MAX_WAIT_MS = 15_000;

/** Dependencies of submissions. */
export interface SubmissionSettings {
  readonly chainId: bigint | undefined;
  readonly pool: Pick<Pool, "submit" | "nextNonce">;
  readonly clock: Clock;
  readonly enclave: () => EnclaveClient;
  /**
   * Sends to groups that manage their members by contract; omitted if groups are managed by the
   * managers.
   */
  readonly flexible: FlexibleSending | undefined;
  /** Whether each caller has its own key and must not access the groups of others. */
  readonly hasTenants: boolean;
  /** Signs markers; by default each is signed with a new key. */
  readonly markerKey: Uint8Array | undefined;
  nonceOf(group: Uint8Array, sender: Address, signal: AbortSignal): Promise<bigint>;
}

/** Accepts private transactions: the payload goes to its recipients, a marker to the pool. */
export class Submission {
  readonly #settings: SubmissionSettings;
  readonly #blocks: Signal;
  /** Markers of one signer are created sequentially, so that no two have the same nonce. */
  readonly #mutex = new Mutex();

  constructor(settings: SubmissionSettings) {
    this.#settings = settings;
    this.#blocks = new Signal(settings.clock);
  }

  headMoved(): void {
    this.#blocks.notify();
  }

  /**
   * Stores the payload with its recipients; returns the key for the marker.
   *
   * Like Besu, it resolves the group first, while `submit` validates the transaction first: with two faults, each reports a different one.
   */
  async distribute(
    transaction: PrivateTransaction,
    key: string,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    this.#verifyForm(transaction, key);
    const { flexible } = this.#settings;
    if (flexible !== undefined) {
      const recipients = await flexible.findRecipients(transaction, key, signal);
      await this.#verify(transaction, signal);
      return flexible.store(transaction, recipients, signal);
    }
    await this.#verifyGroup(transaction, key);
    await this.#verify(transaction, signal);
    return this.#store(transaction);
  }

  /** Stores the payload and marks it on the public chain; returns the hash of the marker. */
  async submit(transaction: PrivateTransaction, key: string, signal: AbortSignal): Promise<Hash> {
    this.#verifyForm(transaction, key);
    const { flexible } = this.#settings;
    if (flexible !== undefined) {
      const named = await this.#submitFlexible(flexible, transaction, key, signal);
      return this.#mark(named, transaction, signal);
    }
    // Revealing whether a nonce is right would disclose the activity of a group.
    if (this.#settings.hasTenants) await this.#verifyGroup(transaction, key);
    await this.#verify(transaction, signal);
    if (!this.#settings.hasTenants) await this.#verifyGroup(transaction, key);
    return this.#mark(await this.#store(transaction), transaction, signal);
  }

  async #submitFlexible(
    flexible: FlexibleSending,
    transaction: PrivateTransaction,
    key: string,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    if (this.#settings.hasTenants) await flexible.verifyMember(groupOf(transaction), key, signal);
    await this.#verify(transaction, signal);
    const recipients = await flexible.findRecipients(transaction, key, signal);
    return flexible.store(transaction, recipients, signal);
  }

  #verifyForm({ restriction, privateFrom }: PrivateTransaction, key: string): void {
    if (restriction !== "restricted") throw new PrivateRejection("unsupported restriction");
    if (toBase64(privateFrom) !== key) throw new PrivateRejection("private from is another");
  }

  async #verify(transaction: PrivateTransaction, signal: AbortSignal): Promise<void> {
    const { chainId, nonceOf } = this.#settings;
    const context = { chainId, nonceOf: () => 0n, allowsFuture: true };
    await restAfter(transaction.data.length);
    const verified = verifyPrivateTransaction(transaction, context);
    if ("problem" in verified) throw new PrivateRejection(verified.problem);
    const next = await nonceOf(groupOf(transaction), verified.sender, signal);
    if (transaction.nonce < next) throw new PrivateRejection("nonce too low");
  }

  /** Only created groups can be addressed by their id. */
  async #verifyGroup({ privacyGroupId }: PrivateTransaction, key: string): Promise<void> {
    if (privacyGroupId === undefined) return;
    const group = await this.#settings.enclave().retrieveGroup(toBase64(privacyGroupId));
    if (this.#settings.hasTenants && !group.members.includes(key)) {
      throw new PrivateRejection("not a member");
    }
    if (group.type !== "PANTHEON") throw new PrivateRejection("legacy group id");
  }

  async #store(transaction: PrivateTransaction): Promise<Uint8Array> {
    const { privateFrom: from, privateFor, privacyGroupId, data } = transaction;
    await restAfter(data.length);
    const payload = encodePrivateTransaction(transaction);
    if (privacyGroupId !== undefined) {
      return this.#settings.enclave().send(payload, { from, privacyGroupId });
    }
    const to = privateFor.length === 0 ? [from] : privateFor;
    return this.#settings.enclave().send(payload, { from, to });
  }

  #mark(
    payloadKey: Uint8Array,
    transaction: PrivateTransaction,
    signal: AbortSignal,
  ): Promise<Hash> {
    const { markerKey } = this.#settings;
    if (markerKey === undefined) return this.#sign(payloadKey, transaction, createKey());
    return this.#mutex.run(() =>
      this.#whenThereIsRoom(() => this.#sign(payloadKey, transaction, markerKey), signal),
    );
  }

  /**
   * The pool limits the transactions of one sender until a block includes some of them.
   *
   * The caller does not choose the nonces of markers, and the recipients have its payload already: the marker waits for a block.
   */
  async #whenThereIsRoom(submit: () => Promise<Hash>, signal: AbortSignal): Promise<Hash> {
    const { clock } = this.#settings;
    const deadline = clock.now() + MAX_WAIT_MS;
    for (;;) {
      try {
        return await submit();
      } catch (error) {
        const isFull = error instanceof RejectedTransaction && error.reason === "nonce-too-far";
        if (!isFull || signal.aborted || clock.now() >= deadline) throw error;
      }
      await this.#blocks.nextWithin({ timeoutMs: deadline - clock.now() });
    }
  }

  async #sign(
    payloadKey: Uint8Array,
    { gasPrice, gasLimit }: PrivateTransaction,
    privateKey: Uint8Array,
  ): Promise<Hash> {
    const { pool, flexible } = this.#settings;
    await yieldToLoop();
    const { addressOf, publicKeyOf } = getCrypto();
    const marker = {
      chainId: undefined,
      nonce: pool.nextNonce(addressOf(publicKeyOf(privateKey))),
      gasPrice,
      gasLimit,
      to: flexible === undefined ? MARKER_ADDRESS : FLEXIBLE_MARKER_ADDRESS,
      value: 0n,
      data: payloadKey,
    };
    return (await pool.submit(signTransaction(marker, privateKey))).hash;
  }
}

function createKey(): Uint8Array {
  const { isPrivateKey } = getCrypto();
  for (;;) {
    const key = new Uint8Array(randomBytes(32));
    if (isPrivateKey(key)) return key;
  }
}
