import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import { withSlash } from "../codec/party-info.js";
import { type Caller, isManagerAt } from "./caller.js";

/** A manager that has announced its keys. */
export interface Peer {
  readonly url: string;
  readonly keys: readonly Uint8Array[];
  /** API versions between managers, such as 3.0. */
  readonly versions: ReadonlySet<string>;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
  /** The caller that proved at the address to hold the keys; unknown if keys are not validated. */
  readonly seen?: Caller | undefined;
}

/** Maximum number of manager URLs. */
const MAX_URLS = 1000;

/** How long an address named by another manager is called. */
const SILENT_MS = 60_000;

/** The other managers: which are called, and which keys each of them serves. */
export class Peers {
  readonly #ownUrl: string;
  readonly #configured: readonly string[];
  /** With the time they were learned. */
  readonly #urls = new Map<string, number>();
  readonly #peers = new Map<string, Peer>();
  readonly #urlOfKey = new Map<string, string>();

  constructor(ownUrl: string, configured: readonly string[]) {
    this.#ownUrl = withSlash(ownUrl);
    this.#configured = configured.map(withSlash).filter((url) => url !== this.#ownUrl);
    for (const url of this.#configured) this.#urls.set(url, 0);
  }

  /** Every address to call. */
  urls(): readonly string[] {
    return [...this.#urls.keys()];
  }

  all(): readonly Peer[] {
    return [...this.#peers.values()];
  }

  /** The manager that has announced itself from an address. */
  find(url: string): Peer | undefined {
    return this.#peers.get(url);
  }

  isConfigured(url: string): boolean {
    return this.#configured.includes(url);
  }

  findByKey(key: Uint8Array): Peer | undefined {
    const url = this.#urlOfKey.get(toBase64(key));
    return url === undefined ? undefined : this.#peers.get(url);
  }

  /** The manager that matches a caller, among those that hold one of the given keys. */
  findCaller(caller: Caller, keys: readonly Uint8Array[]): Peer | undefined {
    return keys
      .map((key) => this.findByKey(key))
      .find((peer) => peer?.seen !== undefined && isManagerAt(peer.url, peer.seen, caller));
  }

  /** Adds an address to call; it is removed if no manager announces itself from there. */
  learn(url: string, now: number): void {
    if (url === this.#ownUrl || this.#urls.has(url) || this.#urls.size >= MAX_URLS) return;
    this.#urls.set(url, now);
  }

  /** Removes addresses named by others from which no manager has announced itself. */
  forgetSilent(now: number): void {
    for (const [url, learnedAt] of this.#urls) {
      const isSilent = !this.#peers.has(url) && !this.isConfigured(url);
      if (isSilent && now - learnedAt > SILENT_MS) this.#urls.delete(url);
    }
  }

  /** Replaces the previous announcement of a manager. */
  update(peer: Peer): void {
    const isFull = this.#urls.size >= MAX_URLS && !this.#urls.has(peer.url);
    if (isFull) throw new EnclaveError(503, `${MAX_URLS} managers are known, which is the limit`);
    this.#forgetKeys(peer.url);
    this.learn(peer.url, peer.seenAt);
    this.#peers.set(peer.url, peer);
    for (const key of peer.keys) this.#urlOfKey.set(toBase64(key), peer.url);
  }

  /** Removes an unreachable manager; a configured one is called again. */
  drop(url: string): void {
    this.#forgetKeys(url);
    this.#peers.delete(url);
    if (!this.isConfigured(url)) this.#urls.delete(url);
  }

  #forgetKeys(url: string): void {
    for (const key of this.#peers.get(url)?.keys ?? []) {
      const name = toBase64(key);
      if (this.#urlOfKey.get(name) === url) this.#urlOfKey.delete(name);
    }
  }
}
