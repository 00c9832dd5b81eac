import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import { withSlash } from "../codec/party-info.js";
import { type Caller, isManagerAt } from "./caller.js";

/** A manager that has said which keys it serves. */
export interface Peer {
  readonly url: string;
  readonly keys: readonly Uint8Array[];
  /** Of the interface between managers, such as 3.0. */
  readonly versions: ReadonlySet<string>;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
  /** Who showed at the address that it holds the keys; unknown where keys are not validated. */
  readonly seen?: Caller | undefined;
}

/** Addresses of managers that are called; more are not learned. */
const MAX_URLS = 1000;

/** An address that another manager named is called for this long. */
const SILENT_MS = 60_000;

/** The other managers: which are called, and which keys each of them serves. */
export class Peers {
  readonly #ownUrl: string;
  readonly #configured: readonly string[];
  /** With when they were learned. */
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

  /** The manager that a caller is, among those that hold one of some keys. */
  findCaller(caller: Caller, keys: readonly Uint8Array[]): Peer | undefined {
    return keys
      .map((key) => this.findByKey(key))
      .find((peer) => peer?.seen !== undefined && isManagerAt(peer.url, peer.seen, caller));
  }

  /** Learns an address to call; it is forgotten where no manager announces itself from there. */
  learn(url: string, now: number): void {
    if (url === this.#ownUrl || this.#urls.has(url) || this.#urls.size >= MAX_URLS) return;
    this.#urls.set(url, now);
  }

  /** Forgets addresses that others named and from which no manager has come. */
  forgetSilent(now: number): void {
    for (const [url, learnedAt] of this.#urls) {
      const isSilent = !this.#peers.has(url) && !this.isConfigured(url);
      if (isSilent && now - learnedAt > SILENT_MS) this.#urls.delete(url);
    }
  }

  /** Takes what a manager says about itself in place of what it said before. */
  update(peer: Peer): void {
    const isFull = this.#urls.size >= MAX_URLS && !this.#urls.has(peer.url);
    if (isFull) throw new EnclaveError(503, `${MAX_URLS} managers are known, which is the most`);
    this.#forgetKeys(peer.url);
    this.learn(peer.url, peer.seenAt);
    this.#peers.set(peer.url, peer);
    for (const key of peer.keys) this.#urlOfKey.set(toBase64(key), peer.url);
  }

  /** Forgets a manager that could not be reached; one of the configuration is called again. */
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
