import type { Clock, Logger } from "@plinth/core";
import { Semaphore } from "@plinth/core/async";
import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import type { EncodedPayload } from "../codec/encoded-payload.js";
import type { OwnKeys } from "../crypto/own-keys.js";
import type { PeerLink } from "../peers/peer-link.js";
import type { Peers } from "../peers/peers.js";
import type { Groups } from "./groups.js";
import { decodeGroup, groupIdOf, includesKey, type PrivacyGroup } from "./privacy-group.js";
import { RecentQueries } from "./recent-queries.js";
import { type UnknownGroup, UnknownGroups } from "./unknown-groups.js";

/** Managers asked for one group: the sender's, then others. */
const MAX_ASKED = 16;
const ASKED_AT_ONCE = 5;
const ASK_MS = 5000;
/** Size limit of a group, as for an announced one. */
const MAX_GROUP_BYTES = 1024 * 1024;
/**
 * Maximum number of concurrent lookups of groups named by payloads, and the interval between them.
 *
 * Untrusted senders can name any number of groups; the limit applies to the requests they cause at other managers.
 */
const SEARCHED_AT_ONCE = 4;
const BETWEEN_SEARCHES_MS = 1000;

/**
 * Recovers groups that this manager has lost.
 *
 * The id of a group is a hash of its members and seed, so a matching id proves the group. Its name and description are
 * not covered; they are taken from the manager of a member.
 */
export class LostGroups {
  readonly #groups: Groups;
  readonly #keys: OwnKeys;
  readonly #peers: Peers;
  readonly #link: PeerLink;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #recent: RecentQueries;
  readonly #unknown: UnknownGroups;
  /** Lookups in progress, by group id. */
  readonly #searches = new Map<string, Promise<void>>();
  #turn = 0;
  #isSearching = false;
  #searchedAt = 0;
  #isClosed = false;
  #stopWaiting: (() => void) | undefined;

  constructor(parts: {
    readonly groups: Groups;
    readonly keys: OwnKeys;
    readonly peers: Peers;
    readonly link: PeerLink;
    readonly clock: Clock;
    readonly log: Logger;
  }) {
    this.#groups = parts.groups;
    this.#keys = parts.keys;
    this.#peers = parts.peers;
    this.#link = parts.link;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#recent = new RecentQueries(parts.clock);
    this.#unknown = new UnknownGroups(parts.clock);
  }

  /** Groups named by payloads since the start that are still unknown. */
  get unknown(): readonly UnknownGroup[] {
    this.#forgetKnown();
    return this.#unknown.all();
  }

  /**
   * The group that a sender's payload names, from here or from other managers; a deleted one stays
   * deleted.
   */
  async recover(id: Uint8Array, senderKey: Uint8Array): Promise<PrivacyGroup | undefined> {
    const name = toBase64(id);
    while (this.#searches.has(name)) await this.#searches.get(name);
    if (!this.#groups.isKnown(id)) await this.#search(id, senderKey);
    const group = this.#groups.findKnown(id);
    return group !== undefined && includesKey(group.members, senderKey) ? group : undefined;
  }

  /** On an incoming payload: looks up its group in the background if it is unknown. */
  accepted({ privacyGroupId: id, senderKey }: EncodedPayload): void {
    if (id === undefined || this.#groups.isKnown(id)) return;
    this.#unknown.add(id, senderKey);
    this.#searchWhenDue();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopWaiting?.();
  }

  #searchWhenDue(): void {
    const due = this.#unknown.nextDue;
    if (due === undefined || this.#isSearching || this.#isClosed) return;
    this.#stopWaiting?.();
    const now = this.#clock.now();
    const at = Math.max(due, this.#searchedAt + BETWEEN_SEARCHES_MS);
    this.#stopWaiting = this.#clock.after(Math.max(0, at - now), () => {
      this.#isSearching = true;
      this.#searchedAt = this.#clock.now();
      this.#searchUnknown()
        .catch((error) => this.#log.error("group lookup failed", { error }))
        .finally(() => {
          this.#isSearching = false;
          this.#searchWhenDue();
        });
    });
  }

  async #searchUnknown(): Promise<void> {
    this.#forgetKnown();
    const due = this.#unknown.takeDue(SEARCHED_AT_ONCE);
    await Promise.all(due.map(({ id, senderKey }) => this.#search(id, senderKey)));
    this.#forgetKnown();
  }

  #forgetKnown(): void {
    this.#unknown.forget((id) => this.#groups.isKnown(id));
  }

  async #search(id: Uint8Array, senderKey: Uint8Array): Promise<void> {
    const name = toBase64(id);
    const search = this.#ask(id, senderKey);
    // Concurrent callers wait for the same lookup; only the one who started it sees its failure.
    const waited = search.catch(() => {});
    this.#searches.set(name, waited);
    try {
      await search;
    } finally {
      if (this.#searches.get(name) === waited) this.#searches.delete(name);
    }
  }

  async #ask(id: Uint8Array, senderKey: Uint8Array): Promise<void> {
    const first = this.#peers.findByKey(senderKey)?.url;
    if (first !== undefined) await this.#askOne(first, id);
    const others = this.#takeTurn(MAX_ASKED - 1, first);
    const permits = new Semaphore(ASKED_AT_ONCE);
    await Promise.all(others.map((url) => permits.run(() => this.#askOne(url, id))));
  }

  /** Some of the other managers, in rotation. */
  #takeTurn(count: number, first: string | undefined): readonly string[] {
    const urls = this.#peers
      .all()
      .map(({ url }) => url)
      .filter((url) => url !== first);
    const start = urls.length > count ? this.#turn % urls.length : 0;
    this.#turn = start + count;
    return [...urls.slice(start), ...urls.slice(0, start)].slice(0, count);
  }

  async #askOne(url: string, id: Uint8Array): Promise<void> {
    const privacyGroupId = toBase64(id);
    if (this.#groups.isKnown(id) || !this.#recent.begin(`${url} ${privacyGroupId}`)) return;
    try {
      const { status, body, from } = await this.#link.post(
        url,
        "/plinth/group",
        Buffer.from(JSON.stringify({ privacyGroupId })),
        { type: "application/json", timeoutMs: ASK_MS, maxAnswerBytes: MAX_GROUP_BYTES },
      );
      if (status !== 200) return;
      const group = decodeGroup(body);
      if (this.#isWanted(group, id, url)) await this.#groups.restore(group, from);
    } catch (error) {
      // It is unreachable, or its response is not a group: others may have it.
      if (!(error instanceof EnclaveError)) throw error;
      this.#log.debug(`${url} did not return a group: ${error.message}`);
    }
  }

  #isWanted(group: PrivacyGroup, id: Uint8Array, url: string): boolean {
    const isOfMember = group.members.some((key) => this.#peers.findByKey(key)?.url === url);
    return (
      isOfMember &&
      group.state === "ACTIVE" &&
      Buffer.compare(groupIdOf(group), id) === 0 &&
      group.members.some((key) => this.#keys.has(key))
    );
  }
}
