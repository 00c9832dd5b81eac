import type { Clock } from "@plinth/core";
import { Semaphore } from "@plinth/core/async";
import {
  EnclaveError,
  findTexts,
  type LostPayloads as Lost,
  readJson,
  toBase64,
} from "@plinth/kit-enclave";
import type { OwnKeys } from "../crypto/own-keys.js";
import type { PeerLink } from "../peers/peer-link.js";
import type { Peers } from "../peers/peers.js";
import type { Payloads } from "./payloads.js";

const ASKED_AT_ONCE = 8;
const ASK_MS = 5000;
/** Managers not reached by then count as unresponsive. */
const ALL_MS = 45_000;

/** Finds payloads that other managers hold for a key of this one, and that are missing here. */
export class LostPayloads {
  readonly #payloads: Payloads;
  readonly #keys: OwnKeys;
  readonly #peers: Peers;
  readonly #link: PeerLink;
  readonly #clock: Clock;

  constructor(parts: {
    readonly payloads: Payloads;
    readonly keys: OwnKeys;
    readonly peers: Peers;
    readonly link: PeerLink;
    readonly clock: Clock;
  }) {
    this.#payloads = parts.payloads;
    this.#keys = parts.keys;
    this.#peers = parts.peers;
    this.#link = parts.link;
    this.#clock = parts.clock;
  }

  /** Asks all known managers about those of the given payloads that are missing here. */
  async find(hashes: readonly Uint8Array[]): Promise<Lost> {
    const missing = hashes.filter((hash) => !this.#payloads.has(hash)).map(toBase64);
    if (missing.length === 0) return { lost: [], silent: [] };
    const deadline = this.#clock.now() + ALL_MS;
    const urls = this.#peers.all().map(({ url }) => url);
    const permits = new Semaphore(ASKED_AT_ONCE);
    const ask = async (url: string) =>
      this.#clock.now() < deadline ? this.#askAbout(url, missing) : undefined;
    const found = await Promise.all(urls.map((url) => permits.run(() => ask(url))));
    const held = new Set(found.flatMap((keys) => keys ?? []));
    return {
      // Ignores everything that was not requested.
      lost: missing.filter((key) => held.has(key)),
      silent: urls.filter((_, index) => found[index] === undefined),
    };
  }

  /** Which of the given payloads a manager holds; `undefined` if it did not respond. */
  async #askAbout(url: string, keys: readonly string[]): Promise<readonly string[] | undefined> {
    const held: string[] = [];
    try {
      for (const { publicKey } of this.#keys.all()) {
        const question = Buffer.from(JSON.stringify({ publicKey: toBase64(publicKey), keys }));
        const settings = { type: "application/json", timeoutMs: ASK_MS };
        const { status, body } = await this.#link.post(url, "/plinth/sent", question, settings);
        if (status !== 200) return undefined;
        held.push(...(findTexts(readJson(body), "keys") ?? []));
      }
      return held;
    } catch (error) {
      if (error instanceof EnclaveError) return undefined;
      throw error;
    }
  }
}
