import { toBase64 } from "./base64.js";
import { withSlash } from "./party-info.js";

/** A manager that has said which keys it serves. */
export interface Peer {
  readonly url: string;
  readonly keys: readonly Uint8Array[];
  /** Of the interface between managers, such as 3.0. */
  readonly versions: ReadonlySet<string>;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
}

/** Addresses of managers that are called; more are not learned. */
const MAX_URLS = 1000;

/** The other managers: which are called, and which keys each of them serves. */
export class Peers {
  readonly #ownUrl: string;
  readonly #configured: readonly string[];
  readonly #urls = new Set<string>();
  readonly #peers = new Map<string, Peer>();
  readonly #urlOfKey = new Map<string, string>();

  constructor(ownUrl: string, configured: readonly string[]) {
    this.#ownUrl = withSlash(ownUrl);
    this.#configured = configured.map(withSlash).filter((url) => url !== this.#ownUrl);
    for (const url of this.#configured) this.#urls.add(url);
  }

  /** Every address to call. */
  urls(): readonly string[] {
    return [...this.#urls];
  }

  all(): readonly Peer[] {
    return [...this.#peers.values()];
  }

  /** Whether a manager has announced itself. */
  has(url: string): boolean {
    return this.#peers.has(url);
  }

  isConfigured(url: string): boolean {
    return this.#configured.includes(url);
  }

  findByKey(key: Uint8Array): Peer | undefined {
    const url = this.#urlOfKey.get(toBase64(key));
    return url === undefined ? undefined : this.#peers.get(url);
  }

  /** Learns an address to call. */
  learn(url: string): void {
    if (url !== this.#ownUrl && this.#urls.size < MAX_URLS) this.#urls.add(url);
  }

  /** Takes what a manager says about itself in place of what it said before. */
  update(peer: Peer): void {
    this.#forgetKeys(peer.url);
    this.learn(peer.url);
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
