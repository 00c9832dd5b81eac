import type { Clock, KeyValueStore, Logger } from "@plinth/core";
import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import { withSlash } from "./codec/party-info.js";
import type { KeyPair } from "./crypto/key-pair.js";
import { OwnKeys } from "./crypto/own-keys.js";
import { Sealer } from "./crypto/sealing.js";
import type { Sodium } from "./crypto/sodium.js";
import { DurableWrites } from "./durable-writes.js";
import { Groups } from "./groups/groups.js";
import { LostGroups } from "./groups/lost-groups.js";
import type { RefusedDeletion } from "./groups/refused-deletions.js";
import type { UnknownGroup } from "./groups/unknown-groups.js";
import { Comparison } from "./member-states/comparison.js";
import { StateQuestions } from "./member-states/state-questions.js";
import { Distribution } from "./payloads/distribution.js";
import { LostPayloads } from "./payloads/lost-payloads.js";
import { Payloads } from "./payloads/payloads.js";
import { Redelivery } from "./payloads/redelivery.js";
import { type ResendOutcome, Resends } from "./payloads/resends.js";
import { ReturnedPayloads } from "./payloads/returned-payloads.js";
import type { Caller } from "./peers/caller.js";
import { Discovery } from "./peers/discovery.js";
import type { PeerLink } from "./peers/peer-link.js";
import { Peers } from "./peers/peers.js";

/** Interval at which a manager announces itself to the others. */
const ANNOUNCED_EVERY_MS = 5000;
/** Pending payloads are counted at the same interval, up to this number. */
const MAX_COUNTED = 10_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Dependencies and settings of a manager. */
export interface ManagerSettings {
  readonly sodium: Sodium;
  readonly store: KeyValueStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly link: PeerLink;
  readonly keys: readonly [KeyPair, ...KeyPair[]];
  /** URL at which other managers reach this one. */
  readonly url: string;
  /** Initial peers. */
  readonly peers: readonly string[];
  readonly alwaysSendTo?: readonly Uint8Array[];
  readonly maxPayloadBytes: number;
  readonly onlyConfiguredPeers?: boolean;
  readonly validatesKeys?: boolean;
  /** Queues payloads for unreachable recipients; if off, such a send fails. */
  readonly redelivers?: boolean;
}

/** Status of a manager and its peers. */
export interface ManagerStatus {
  readonly peers: readonly {
    readonly url: string;
    readonly isKnown: boolean;
    readonly keys: readonly string[];
    readonly seenAt?: number;
  }[];
  readonly undelivered: readonly {
    readonly recipient: string;
    readonly count: number;
    readonly oldest: number;
    readonly reason?: string;
  }[];
  /** Payloads that were returned in part, or whose group is unknown: they cannot be decrypted. */
  readonly aside: number;
  /** Rejected deletions of groups requested by other managers. */
  readonly refusedDeletions: readonly RefusedDeletion[];
  /** Groups that a node finds here and that have not been deleted. */
  readonly groups: number;
  /** Groups named by payloads since the start that are unknown, the last 100. */
  readonly unknownGroups: readonly UnknownGroup[];
}

/** Result of asking other managers for lost payloads. */
export interface Resent {
  readonly managers: readonly ResendOutcome[];
  /** Payloads that were returned in part, or whose group is unknown. */
  readonly aside: number;
}

/** Counters since the start, and current figures. */
export interface ManagerFigures {
  readonly sent: number;
  readonly accepted: number;
  /** Managers that have announced themselves. */
  readonly peers: number;
  /** Pending deliveries at the last count, 10,000 at most. */
  readonly undelivered: number;
  /** Groups that have not been deleted, at the last count. */
  readonly groups: number;
  /** Unknown groups that payloads name, 100 at most. */
  readonly unknownGroups: number;
}

/** A private transaction manager. */
export class Manager {
  readonly payloads: Payloads;
  readonly groups: Groups;
  readonly lostGroups: LostGroups;
  readonly lostPayloads: LostPayloads;
  readonly questions: StateQuestions;
  readonly comparison: Comparison;
  readonly discovery: Discovery;
  readonly resends: Resends;
  readonly #settings: ManagerSettings;
  readonly #keys: OwnKeys;
  readonly #sealer: Sealer;
  readonly #peers: Peers;
  readonly #returned: ReturnedPayloads;
  readonly #redelivery: Redelivery | undefined;
  #stopAnnouncing: (() => void) | undefined;
  #isClosed = false;
  #countOfWaiting = 0;
  #countOfGroups = 0;

  constructor(settings: ManagerSettings) {
    const { sodium, store, clock, link, log, url } = settings;
    const keys = new OwnKeys(settings.keys);
    const peers = new Peers(url, settings.peers);
    const distribution = new Distribution(peers, link);
    const sealer = new Sealer(sodium);
    const random = (length: number) => sodium.randombytes_buf(length);
    this.#settings = settings;
    this.#keys = keys;
    this.#sealer = sealer;
    this.#peers = peers;
    this.#redelivery =
      settings.redelivers === true ? new Redelivery({ store, distribution, clock }) : undefined;
    const writes = new DurableWrites(store);
    this.groups = new Groups({ store, writes, keys, distribution, peers, clock, random });
    this.lostGroups = new LostGroups({ groups: this.groups, keys, peers, link, clock, log });
    this.resends = new Resends({ keys, peers, link, clock });
    this.#returned = new ReturnedPayloads({
      store,
      writes,
      groups: this.groups.store,
      peers,
      resends: this.resends,
      clock,
    });
    this.payloads = new Payloads({
      store,
      writes,
      keys,
      sealer,
      groups: this.groups,
      lostGroups: this.lostGroups,
      distribution,
      returned: this.#returned,
      redelivery: this.#redelivery,
      alwaysSendTo: settings.alwaysSendTo ?? [],
      maxBytes: settings.maxPayloadBytes,
    });
    this.lostPayloads = new LostPayloads({ payloads: this.payloads, keys, peers, link, clock });
    this.questions = new StateQuestions(clock);
    this.comparison = new Comparison({ groups: this.groups, keys, peers, link });
    this.discovery = new Discovery({
      url,
      keys,
      peers,
      link,
      sealer,
      clock,
      log,
      onlyConfigured: settings.onlyConfiguredPeers ?? false,
      validatesKeys: settings.validatesKeys ?? true,
      announced: (announced) => this.#announced(announced),
    });
  }

  /** The public keys of this manager. */
  publicKeys(): readonly Uint8Array[] {
    return this.#keys.all().map(({ publicKey }) => publicKey);
  }

  /** All known keys, its own first, with the URLs of their managers. */
  knownKeys(): readonly { readonly key: Uint8Array; readonly url: string }[] {
    const own = { url: withSlash(this.#settings.url), keys: this.publicKeys() };
    return [own, ...this.#peers.all()].flatMap(({ url, keys }) =>
      keys.map((key) => ({ key, url })),
    );
  }

  /** URLs of the managers that it calls. */
  peerUrls(): readonly string[] {
    return this.#peers.urls();
  }

  /** Announces itself now and periodically, until it is closed; does not wait for responses. */
  start(): void {
    if (this.#isClosed) return;
    const { clock, log } = this.#settings;
    Promise.all([this.discovery.announce(), this.#count()])
      .catch((error) => log.error("announcing failed", { error }))
      .finally(() => {
        if (this.#isClosed) return;
        this.#stopAnnouncing = clock.after(ANNOUNCED_EVERY_MS, () => this.start());
      });
  }

  figures(): ManagerFigures {
    const { sent, accepted } = this.payloads.counts;
    const peers = this.#peers.all().length;
    return {
      sent,
      accepted,
      peers,
      undelivered: this.#countOfWaiting,
      groups: this.#countOfGroups,
      unknownGroups: this.lostGroups.unknown.length,
    };
  }

  async #count(): Promise<void> {
    let count = 0;
    for await (const _ of this.#redelivery?.waiting() ?? []) {
      count += 1;
      if (count === MAX_COUNTED) break;
    }
    this.#countOfWaiting = count;
    this.#countOfGroups = await this.groups.count();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopAnnouncing?.();
    this.lostGroups.close();
    this.questions.close();
    this.#sealer.close();
  }

  /** Asks all other managers to resend what this one has lost. */
  async resend(): Promise<Resent> {
    const managers = await this.resends.ask();
    return { managers, aside: await this.payloads.countAside() };
  }

  /** Decrypts the challenge by which another manager checks whether a key is held here. */
  validate(bytes: Uint8Array): string {
    const opened = this.payloads.openUnstored(bytes);
    const text = new TextDecoder().decode(opened);
    // Nothing else is decrypted for untrusted callers.
    if (UUID.test(text)) return text;
    throw new EnclaveError(400, "expected a UUID encrypted for a key of this manager");
  }

  /** Throws unless a caller is the manager that holds a key. */
  verifyHolder(caller: Caller, key: Uint8Array): void {
    if (this.#peers.findCaller(caller, [key]) !== undefined) return;
    throw new EnclaveError(403, "the caller has not proven to hold this key");
  }

  async status(): Promise<ManagerStatus> {
    const known = new Map(this.#peers.all().map((peer) => [peer.url, peer]));
    return {
      peers: this.#peers.urls().map((url) => {
        const peer = known.get(url);
        const keys = peer?.keys.map(toBase64) ?? [];
        return { url, isKnown: peer !== undefined, keys, ...(peer && { seenAt: peer.seenAt }) };
      }),
      undelivered: await this.#undelivered(),
      aside: await this.payloads.countAside(),
      refusedDeletions: this.groups.refusedDeletions,
      groups: await this.groups.count(),
      unknownGroups: this.lostGroups.unknown,
    };
  }

  async #undelivered(): Promise<ManagerStatus["undelivered"]> {
    const found = new Map<string, { count: number; oldest: number; reason?: string }>();
    for await (const { recipient, since } of this.#redelivery?.waiting() ?? []) {
      const name = toBase64(recipient);
      const entry = found.get(name) ?? { count: 0, oldest: since };
      const reason = this.#redelivery?.failureOf(recipient);
      found.set(name, {
        count: entry.count + 1,
        oldest: Math.min(entry.oldest, since),
        ...(reason === undefined ? {} : { reason }),
      });
    }
    return Array.from(found, ([recipient, entry]) => ({ recipient, ...entry }));
  }

  #announced(keys: readonly Uint8Array[]): void {
    this.#returned.peersMoved();
    const redelivery = this.#redelivery;
    if (redelivery === undefined) return;
    const deliver = async () => {
      await redelivery.remember(keys);
      for (const key of keys) await redelivery.deliverWaiting(key);
    };
    deliver().catch((error) => this.#settings.log.error("redelivery failed", { error }));
  }
}
