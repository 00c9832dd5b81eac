import type { Clock } from "@plinth/core";
import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import type { OwnKeys } from "../crypto/own-keys.js";
import type { PeerLink } from "../peers/peer-link.js";
import type { Peers } from "../peers/peers.js";

/** Timeout: a manager sends everything before it responds. */
const RESEND_MS = 10 * 60_000;
/** Grace period: payloads sent shortly before the response may arrive after it. */
const AFTER_MS = 60_000;

/** Result of asking a manager to resend payloads. */
export interface ResendOutcome {
  readonly url: string;
  /** Why it did not send everything; omitted on success. */
  readonly problem?: string;
}

/** Asks other managers to resend what this one has lost, and remembers which ones it has asked. */
export class Resends {
  readonly #keys: OwnKeys;
  readonly #peers: Peers;
  readonly #link: PeerLink;
  readonly #clock: Clock;
  /** Deadlines until which payloads of a manager are accepted back, by URL. */
  readonly #askedUntil = new Map<string, number>();

  constructor(parts: {
    readonly keys: OwnKeys;
    readonly peers: Peers;
    readonly link: PeerLink;
    readonly clock: Clock;
  }) {
    this.#keys = parts.keys;
    this.#peers = parts.peers;
    this.#link = parts.link;
    this.#clock = parts.clock;
  }

  /** Whether a manager was asked recently. */
  isAsked(url: string): boolean {
    return (this.#askedUntil.get(url) ?? 0) > this.#clock.now();
  }

  /** Whether any manager was asked recently. */
  get isUnderWay(): boolean {
    return [...this.#askedUntil.keys()].some((url) => this.isAsked(url));
  }

  /** Asks all managers that have announced themselves, one after the other. */
  async ask(): Promise<readonly ResendOutcome[]> {
    const outcomes: ResendOutcome[] = [];
    for (const { url } of this.#peers.all()) outcomes.push(await this.#askOne(url));
    return outcomes;
  }

  async #askOne(url: string): Promise<ResendOutcome> {
    this.#askedUntil.set(url, this.#clock.now() + RESEND_MS + AFTER_MS);
    try {
      for (const { publicKey } of this.#keys.all()) await this.#askFor(url, publicKey);
      return { url };
    } catch (error) {
      if (!(error instanceof EnclaveError)) throw error;
      return { url, problem: error.message };
    } finally {
      this.#askedUntil.set(url, this.#clock.now() + AFTER_MS);
    }
  }

  async #askFor(url: string, key: Uint8Array): Promise<void> {
    const body = Buffer.from(JSON.stringify({ type: "ALL", publicKey: toBase64(key) }));
    const settings = { type: "application/json", timeoutMs: RESEND_MS };
    const { status, body: text } = await this.#link.post(url, "/resend", body, settings);
    if (status === 200) return;
    throw new EnclaveError(status, Buffer.from(text).toString() || `status ${status}`);
  }
}
