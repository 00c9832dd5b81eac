import type { Clock, KeyValueStore } from "@plinth/core";
import type { WriteBatch } from "@plinth/core/storage";
import { EnclaveError, KEY_BYTES, legacyGroupId, toBase64 } from "@plinth/kit-enclave";
import type { OwnKeys } from "../crypto/own-keys.js";
import type { RandomBytes } from "../crypto/sealing.js";
import type { DurableWrites } from "../durable-writes.js";
import type { Distribution } from "../payloads/distribution.js";
import type { Caller } from "../peers/caller.js";
import type { Peer, Peers } from "../peers/peers.js";
import { AnnouncedGroups } from "./announced-groups.js";
import { GroupStore } from "./group-store.js";
import { PartyGroups } from "./party-groups.js";
import {
  decodeGroup,
  encodeGroup,
  groupIdOf,
  includesKey,
  type PrivacyGroup,
} from "./privacy-group.js";
import { type RefusedDeletion, RefusedDeletions } from "./refused-deletions.js";

const SEED_BYTES = 20;
const MAX_TEXT = 1000;
const LEGACY_DESCRIPTION =
  "Privacy groups to support the creation of groups by privateFor and privateFrom";

/** Parameters of a new group. */
export interface GroupOrder {
  readonly addresses: readonly Uint8Array[];
  /** The first key of the manager by default. */
  readonly from?: Uint8Array;
  readonly name?: string;
  readonly description?: string;
  /** Random by default. */
  readonly seed?: Uint8Array;
}

/** The sender of a payload and its recipients. */
type Parties = readonly [Uint8Array, ...Uint8Array[]];

/** The privacy groups of a manager. */
export class Groups {
  readonly #writes: DurableWrites;
  readonly #groups: GroupStore;
  readonly #parties: PartyGroups;
  readonly #keys: OwnKeys;
  readonly #distribution: Distribution;
  readonly #peers: Peers;
  readonly #random: RandomBytes;
  readonly #announced: AnnouncedGroups;
  readonly #refused: RefusedDeletions;

  constructor(parts: {
    readonly store: KeyValueStore;
    readonly writes: DurableWrites;
    readonly keys: OwnKeys;
    readonly distribution: Distribution;
    readonly peers: Peers;
    readonly clock: Clock;
    readonly random: RandomBytes;
  }) {
    this.#writes = parts.writes;
    this.#groups = new GroupStore(parts.store);
    this.#parties = new PartyGroups(parts.store);
    this.#keys = parts.keys;
    this.#distribution = parts.distribution;
    this.#peers = parts.peers;
    this.#random = parts.random;
    this.#announced = new AnnouncedGroups(parts.store);
    this.#refused = new RefusedDeletions(parts.clock);
  }

  /** Deletions requested by other managers that were rejected. */
  get refusedDeletions(): readonly RefusedDeletion[] {
    return this.#refused.all();
  }

  /**
   * Creates a group and sends it to the managers of all members; nothing is stored if one is
   * unreachable.
   */
  async create(order: GroupOrder): Promise<PrivacyGroup> {
    const { addresses, from = this.#keys.usual.publicKey, name, description, seed } = order;
    if (!includesKey(addresses, from)) {
      throw new EnclaveError(403, "The list of members in a privacy group should include self");
    }
    const group: PrivacyGroup = {
      name: name ?? "",
      description: description ?? "",
      members: addresses,
      seed: seed ?? this.#random(SEED_BYTES),
      type: "PANTHEON",
      state: "ACTIVE",
    };
    verifyGroup(group);
    if (this.#groups.findAny(groupIdOf(group)) !== undefined) throw existsAlready(group);
    await this.#distribution.pushGroup(group, this.#remote(group));
    await this.#save(group);
    return group;
  }

  find(addresses: readonly Uint8Array[]): Promise<readonly PrivacyGroup[]> {
    return this.#groups.findByMembers(addresses);
  }

  get(id: Uint8Array): PrivacyGroup {
    const group = this.#groups.find(id);
    if (group !== undefined) return group;
    throw new EnclaveError(404, `Privacy group Id[${toBase64(id)}] not found`);
  }

  /** Deletes a group here and at the managers of all members; returns its id. */
  async delete(id: Uint8Array, from = this.#keys.usual.publicKey): Promise<Uint8Array> {
    const group = this.get(id);
    if (!includesKey(group.members, from)) {
      throw new EnclaveError(403, "Sender of request does not belong to this privacy group");
    }
    const deleted: PrivacyGroup = { ...group, state: "DELETED" };
    await this.#distribution.pushGroup(deleted, this.#remote(deleted));
    await this.#save(deleted);
    return id;
  }

  /**
   * The group of the parties of a transaction, created by the first one; once deleted it stays
   * deleted.
   */
  legacy(from: Uint8Array, to: readonly Uint8Array[]): { group: PrivacyGroup; isNew: boolean } {
    const group: PrivacyGroup = {
      name: "legacy",
      description: LEGACY_DESCRIPTION,
      members: [from, ...to],
      seed: new Uint8Array(),
      type: "LEGACY",
      state: "ACTIVE",
    };
    return { group, isNew: this.#groups.findAny(groupIdOf(group)) === undefined };
  }

  /**
   * A group that has not been deleted, including implicit ones that no node finds because they
   * follow from payloads of others.
   */
  findKnown(id: Uint8Array): PrivacyGroup | undefined {
    const group = this.findEver(id);
    return group?.state === "ACTIVE" ? group : undefined;
  }

  /**
   * Same, but including deleted groups: members delete them at different times, and everything sent
   * to them runs at all members.
   */
  findEver(id: Uint8Array): PrivacyGroup | undefined {
    return this.#groups.findAny(id) ?? this.#parties.find(id);
  }

  /** Whether this manager has a group, deleted or not. */
  isKnown(id: Uint8Array): boolean {
    return this.findEver(id) !== undefined;
  }

  /**
   * Stores the group named by a payload that another manager sent or returned, if it follows from
   * its parties.
   */
  learn(batch: WriteBatch, id: Uint8Array | undefined, [from, ...to]: Parties): void {
    if (id === undefined || this.#groups.findAny(id) !== undefined) return;
    if (Buffer.compare(legacyGroupId([from, ...to]), id) !== 0) return;
    const { group } = this.legacy(from, to);
    // The sender's node finds it, as before it was lost.
    if (this.#keys.has(from)) this.#groups.put(batch, group);
    else if (this.#parties.find(id) === undefined) this.#parties.put(batch, group);
  }

  /**
   * Returns a group to the manager of a member; others learn nothing, not even whether it exists.
   */
  findFor(id: Uint8Array, caller: Caller): { readonly group: PrivacyGroup; readonly peer: Peer } {
    const group = this.findKnown(id);
    const peer = group && this.#peers.findCaller(caller, group.members);
    if (group !== undefined && peer !== undefined) return { group, peer };
    throw new EnclaveError(403, "the caller is not the manager of a member of such a group");
  }

  /** Stores a group that another manager has returned; throws if the limit is reached. */
  async restore(group: PrivacyGroup, from: Caller): Promise<void> {
    verifyGroup(group);
    if (this.isKnown(groupIdOf(group))) return;
    if (group.type === "PANTHEON") await this.#acceptNew(group, from);
    else await this.#writes.write((batch) => this.#parties.put(batch, group));
  }

  /** Number of groups that have not been deleted. */
  count(): Promise<number> {
    return this.#groups.countActive();
  }

  /** Stores a group as part of a batch. */
  get store(): GroupStore {
    return this.#groups;
  }

  /**
   * Accepts a group that another manager has created or deleted.
   *
   * A Tessera pushes a group once for each key of a manager, so the same one may arrive again. That neither changes it
   * nor restores a deleted one. Public keys are no secret: what counts is whether the caller is the manager that holds
   * the key of a member.
   */
  async accept(bytes: Uint8Array, caller: Caller): Promise<void> {
    const group = decodeGroup(bytes);
    verifyGroup(group);
    if (!group.members.some((key) => this.#keys.has(key))) {
      throw new EnclaveError(400, "members: none of them has its key at this manager");
    }
    const known = this.#groups.findAny(groupIdOf(group));
    if (group.state === "DELETED") {
      if (known?.state === "ACTIVE") await this.#acceptDeletion(known, caller);
    } else if (known === undefined) {
      await this.#acceptNew(group, caller);
    } else if (!isSame(known, group)) {
      throw existsAlready(group);
    }
  }

  async #acceptDeletion(group: PrivacyGroup, caller: Caller): Promise<void> {
    if (group.type === "LEGACY") {
      const reason = "a group that follows from its members cannot be deleted by other managers";
      this.#refused.add(groupIdOf(group), caller, reason);
      return;
    }
    if (this.#peers.findCaller(caller, group.members) === undefined) {
      const reason = "the caller has not proven to hold the key of a member";
      this.#refused.add(groupIdOf(group), caller, reason);
      throw new EnclaveError(403, `the group is not deleted: ${reason}`);
    }
    await this.#save({ ...group, state: "DELETED" });
  }

  async #acceptNew(group: PrivacyGroup, caller: Caller): Promise<void> {
    const peer = this.#peers.findCaller(caller, group.members);
    const isConfigured = peer !== undefined && this.#peers.isConfigured(peer.url);
    if (this.#groups.isFull && !isConfigured) {
      throw new EnclaveError(503, "no more groups are accepted from other managers");
    }
    const proof = { isProven: peer !== undefined };
    this.#announced.verifyRoom(caller, proof);
    await this.#writes.write((batch) => {
      this.#announced.count(batch, caller, proof);
      this.#groups.put(batch, group);
    });
  }

  #remote({ members }: PrivacyGroup): readonly Uint8Array[] {
    return members.filter((key) => !this.#keys.has(key));
  }

  #save(group: PrivacyGroup): Promise<void> {
    return this.#writes.write((batch) => this.#groups.put(batch, group));
  }
}

/** Throws if the id could collide with that of another type, or if a field is too long. */
function verifyGroup({ name, description, seed, type }: PrivacyGroup): void {
  if (type === "RESIDENT") throw new EnclaveError(400, "type: expected LEGACY or PANTHEON");
  if (type === "PANTHEON" && seed.length >= KEY_BYTES) {
    throw new EnclaveError(400, `seed: ${seed.length} bytes, expected less than ${KEY_BYTES}`);
  }
  if (name.length > MAX_TEXT || description.length > MAX_TEXT) {
    throw new EnclaveError(400, `name, description: expected at most ${MAX_TEXT} characters`);
  }
}

function isSame(one: PrivacyGroup, other: PrivacyGroup): boolean {
  return Buffer.compare(encodeGroup(one), encodeGroup(other)) === 0;
}

function existsAlready(group: PrivacyGroup): EnclaveError {
  return new EnclaveError(500, `Privacy group Id[${toBase64(groupIdOf(group))}] exists already`);
}
