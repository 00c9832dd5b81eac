import { randomUUID } from "node:crypto";
import type { Clock, Logger } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";
import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import { encodeLegacy } from "../codec/legacy-codec.js";
import { decodePartyInfo, encodePartyInfo, withSlash } from "../codec/party-info.js";
import type { OwnKeys } from "../crypto/own-keys.js";
import type { Sealer } from "../crypto/sealing.js";
import type { Caller } from "./caller.js";
import { type PeerLink, Unreachable } from "./peer-link.js";
import type { Peers } from "./peers.js";

const MAX_URL_CHARACTERS = 2048;
/** Maximum number of keys per manager. */
const MAX_KEYS = 256;
/** After this time, a silent manager may have moved to another address. */
const SERVED_MS = 15_000;
/** A manager must prove again that it holds a key after this time. */
const VALIDATED_MS = 60_000;
const MAX_VALIDATED = 4096;

/** The other managers, and the keys they provably hold. */
export class Discovery {
  readonly #url: string;
  readonly #keys: OwnKeys;
  readonly #peers: Peers;
  readonly #link: PeerLink;
  readonly #sealer: Sealer;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #onlyConfigured: boolean;
  readonly #validatesKeys: boolean;
  readonly #announced: (keys: readonly Uint8Array[]) => void;
  /** Keys that a manager has proven to hold, as `url key`: when, and by which caller. */
  readonly #validated = new LruMap<string, { readonly at: number; readonly seen: Caller }>({
    max: MAX_VALIDATED,
  });

  constructor(parts: {
    readonly url: string;
    readonly keys: OwnKeys;
    readonly peers: Peers;
    readonly link: PeerLink;
    readonly sealer: Sealer;
    readonly clock: Clock;
    readonly log: Logger;
    /** Rejects managers that are not configured. */
    readonly onlyConfigured: boolean;
    /** Challenges a manager to decrypt something before its keys are trusted. */
    readonly validatesKeys: boolean;
    /** Called with the keys of a manager each time it has announced itself. */
    readonly announced: (keys: readonly Uint8Array[]) => void;
  }) {
    this.#url = withSlash(parts.url);
    this.#keys = parts.keys;
    this.#peers = parts.peers;
    this.#link = parts.link;
    this.#sealer = parts.sealer;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#onlyConfigured = parts.onlyConfigured;
    this.#validatesKeys = parts.validatesKeys;
    this.#announced = parts.announced;
  }

  /** Announces this manager to all known ones; those that do not respond are removed. */
  async announce(): Promise<void> {
    this.#peers.forgetSilent(this.#clock.now());
    await Promise.all(this.#peers.urls().map((url) => this.#announceTo(url)));
  }

  async #announceTo(url: string): Promise<void> {
    const recipients = this.#keys
      .all()
      .map(({ publicKey }) => ({ key: publicKey, url: this.#url }));
    const parties = [this.#url, ...this.#peers.all().map(({ url: known }) => known)];
    const body = encodePartyInfo({ url: this.#url, recipients, parties });
    try {
      const { status } = await this.#link.post(url, "/partyinfo", body);
      if (status !== 200) this.#log.debug(`${url} responds to party info with ${status}`);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.#peers.drop(url);
      this.#log.debug(error.message, { cause: error.cause });
    }
  }

  /** Accepts the announcement of a manager; returns that of this one. */
  async accept(body: Uint8Array, versions: ReadonlySet<string>): Promise<Uint8Array> {
    const info = decodePartyInfo(body);
    const url = readUrl(info.url);
    if (this.#onlyConfigured && !this.#peers.isConfigured(url)) {
      throw new EnclaveError(403, `${url} is not a known peer`);
    }
    const claimed = info.recipients
      .filter((recipient) => recipient.url === info.url || recipient.url === url)
      .map(({ key }) => key);
    if (claimed.length > MAX_KEYS) {
      throw new EnclaveError(
        400,
        `${claimed.length} keys of one manager, the limit is ${MAX_KEYS}`,
      );
    }
    // Without a key it changes nothing about the manager at that address, which may not have sent
    // it.
    if (claimed.length > 0) await this.#update(url, claimed, versions);
    if (!this.#onlyConfigured) for (const party of info.parties) this.#learn(party);
    return encodePartyInfo({ url: this.#url, recipients: [], parties: [] });
  }

  async #update(
    url: string,
    claimed: readonly Uint8Array[],
    versions: ReadonlySet<string>,
  ): Promise<void> {
    const { keys, seen } = await this.#believable(url, claimed);
    if (keys.length === 0) throw new EnclaveError(500, `No key of ${url} could be validated`);
    const known = this.#peers.find(url);
    // An impostor can announce fewer keys of a manager, but removes none while that manager is
    // present.
    const all = new Set([...(known?.versions ?? []), ...versions]);
    this.#peers.update({ url, keys, versions: all, seenAt: this.#clock.now(), seen });
    this.#announced(keys);
    // A new manager learns of this one at once, not at the next announcement.
    if (known === undefined) this.#greet(url);
  }

  #greet(url: string): void {
    this.#announceTo(url).catch((error) => this.#log.error(`greeting ${url} failed`, { error }));
  }

  #learn(party: string): void {
    try {
      this.#peers.learn(readUrl(party), this.#clock.now());
    } catch (error) {
      if (!(error instanceof EnclaveError)) throw error;
      this.#log.debug(`an address known to a manager is skipped: ${error.message}`);
    }
  }

  async #believable(
    url: string,
    claimed: readonly Uint8Array[],
  ): Promise<{ readonly keys: readonly Uint8Array[]; readonly seen: Caller | undefined }> {
    const others = claimed.filter((key) => !this.#keys.has(key));
    if (others.length < claimed.length) {
      this.#log.warn(`ignoring ${url}, which claims a key of this manager`);
    }
    const free = others.filter((key) => !this.#isServedElsewhere(url, key));
    if (!this.#validatesKeys) return { keys: free, seen: undefined };
    const found = await Promise.all(free.map((key) => this.#findHolder(url, key)));
    return {
      keys: free.filter((_, index) => found[index] !== undefined),
      seen: found.find((holder) => holder !== undefined),
    };
  }

  /**
   * Whether another manager serves a key that this one would take over.
   *
   * A challenge can be relayed to the manager that holds the key, and so can its response: responding does not prove
   * where the key is. A configured manager has priority, then the one that was there before.
   */
  #isServedElsewhere(url: string, key: Uint8Array): boolean {
    const owner = this.#peers.findByKey(key);
    if (owner === undefined || owner.url === url) return false;
    const isThere = this.#clock.now() - owner.seenAt < SERVED_MS;
    const isOver = this.#peers.isConfigured(url) && !this.#peers.isConfigured(owner.url);
    if (isOver || !isThere) return false;
    this.#log.warn(`ignoring ${url}, which announces the key ${toBase64(key)} of ${owner.url}`);
    return true;
  }

  /** The caller at an address that decrypted the challenge for a key; `undefined` if none did. */
  async #findHolder(url: string, key: Uint8Array): Promise<Caller | undefined> {
    const name = `${url} ${toBase64(key)}`;
    const known = this.#validated.peek(name);
    if (known !== undefined && this.#clock.now() - known.at < VALIDATED_MS) return known.seen;
    const question = randomUUID();
    const sealed = this.#sealer.seal(new TextEncoder().encode(question), {
      sender: this.#keys.usual,
      recipients: [key],
    });
    try {
      const { status, body, from } = await this.#link.post(
        url,
        "/partyinfo/validate",
        encodeLegacy(sealed),
      );
      const isHeld = status === 200 && new TextDecoder().decode(body) === question;
      if (isHeld) this.#validated.set(name, { at: this.#clock.now(), seen: from });
      else this.#log.warn(`${url} does not hold the key ${toBase64(key)} that it announces`);
      return isHeld ? from : undefined;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.#log.warn(`${url} cannot be challenged for the key ${toBase64(key)}: ${error.message}`);
      return undefined;
    }
  }
}

function readUrl(text: string): string {
  const isShort = text.length <= MAX_URL_CHARACTERS;
  const isWeb = isShort && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (isWeb) return withSlash(text);
  throw new EnclaveError(
    400,
    `url: expected http:// or https:// and at most ${MAX_URL_CHARACTERS} characters`,
  );
}
