import type { Clock, Logger } from "@plinth/core";
import { Semaphore } from "@plinth/core/async";
import { EnclaveError, toBase64 } from "@plinth/kit-enclave";
import type { EncodedPayload } from "../codec/encoded-payload.js";
import type { OwnKeys } from "../crypto/own-keys.js";
import type { PeerLink } from "../peers/peer-link.js";
import type { Peers } from "../peers/peers.js";
import type { Groups } from "./groups.js";
import { decodeGroup, groupIdOf, includesKey, type PrivacyGroup } from "./privacy-group.js";
import { RecentQuestions } from "./recent-questions.js";
import { type UnknownGroup, UnknownGroups } from "./unknown-groups.js";

/** Managers that are asked for one group: that of the sender, then others. */
const MAX_ASKED = 16;
const ASKED_AT_ONCE = 5;
const ASK_MS = 5000;
/** As much as a manager takes of a group that is announced. */
const MAX_GROUP_BYTES = 1024 * 1024;
/**
 * Groups that are looked for at a time because payloads name them, and the time between.
 *
 * Strangers can name as many as they like: other managers are asked for no more on their behalf.
 */
const SEARCHED_AT_ONCE = 4;
const BETWEEN_SEARCHES_MS = 1000;

/**
 * Gets groups back that this manager has lost.
 *
 * The id of a group is a hash of its members and seed: what has that id is the group. Its name and description are
 * not part of it; they are those that the manager of a member has.
 */
export class LostGroups {
  readonly #groups: Groups;
  readonly #keys: OwnKeys;
  readonly #peers: Peers;
  readonly #link: PeerLink;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #recent: RecentQuestions;
  readonly #unknown: UnknownGroups;
  /** Searches that are under way, by the id of the group. */
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
    this.#recent = new RecentQuestions(parts.clock);
    this.#unknown = new UnknownGroups(parts.clock);
  }

  /** Groups that payloads have named since the start and that are still not known. */
  get unknown(): readonly UnknownGroup[] {
    this.#forgetKnown();
    return this.#unknown.all();
  }

  /** A group that a payload of a sender names, from here or from the managers of others; one that was deleted stays so. */
  async recover(id: Uint8Array, senderKey: Uint8Array): Promise<PrivacyGroup | undefined> {
    const name = toBase64(id);
    while (this.#searches.has(name)) await this.#searches.get(name);
    if (!this.#groups.isKnown(id)) await this.#search(id, senderKey);
    const group = this.#groups.findKnown(id);
    return group !== undefined && includesKey(group.members, senderKey) ? group : undefined;
  }

  /** A payload came in: the group that it names is looked for where it is not known, without waiting for it. */
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
        .catch((error) => this.#log.error("looking for groups failed", { error }))
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
    // Those who come now wait for the same; whether it failed is for the one who began it.
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

  /** Some of the other managers, each time the next ones. */
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
      // It cannot be reached, or what it says is no group: others may have it.
      if (!(error instanceof EnclaveError)) throw error;
      this.#log.debug(`${url} did not give a group: ${error.message}`);
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
