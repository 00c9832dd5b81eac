import { keccak256 } from "@plinth/core";
import type { Enode, NodeId } from "@plinth/core/network";
import { isLocal, isLoopback, subnetOf } from "../peers/addresses.js";

/** Nodes per distance; the oldest stay as long as they respond. */
const BUCKET_SIZE = 16;
/**
 * Nodes of one subnet, per distance and in total: the owner of a subnet must not fill the table.
 */
const MAX_OF_SUBNET_IN_BUCKET = 2;
const MAX_OF_SUBNET = 10;
/**
 * Same for one address in a private network, which is one subnet; nodes on this machine share one
 * address.
 */
const MAX_OF_ADDRESS_IN_BUCKET = 4;
const MAX_OF_ADDRESS = 32;
/** Number of failed responses after which an entry is removed. */
const MAX_FAILURES = 3;

/** A node that has responded. */
export interface TableEntry {
  readonly enode: Enode;
  /** The hash of its id, which determines distances. */
  readonly position: Uint8Array;
  seenAt: number;
  failures: number;
}

/** The known nodes by distance: many close ones, few distant ones, with a limit per distance. */
export class Table {
  readonly #own: Uint8Array;
  readonly #buckets = new Map<number, TableEntry[]>();

  constructor(ownId: NodeId) {
    this.#own = positionOf(ownId);
  }

  get size(): number {
    return this.all().length;
  }

  all(): readonly TableEntry[] {
    return [...this.#buckets.values()].flat();
  }

  find(id: NodeId): TableEntry | undefined {
    return this.#bucketOf(positionOf(id)).find(({ enode }) => enode.id === id);
  }

  /** Adds a node that has responded, or refreshes it; false if there is no capacity. */
  add(enode: Enode, now: number): boolean {
    const position = positionOf(enode.id);
    const bucket = this.#bucketOf(position);
    const index = bucket.findIndex((entry) => entry.enode.id === enode.id);
    const entry = { enode, position, seenAt: now, failures: 0 };
    if (index >= 0) {
      const isMoved = bucket[index]?.enode.host !== enode.host;
      if (isMoved && !this.#hasRoomFor(enode.host, bucket)) return false;
      bucket[index] = entry;
      return true;
    }
    if (!this.#hasRoomFor(enode.host, bucket)) return false;
    const failing = bucket.findIndex(({ failures }) => failures > 0);
    if (bucket.length >= BUCKET_SIZE && failing < 0) return false;
    if (bucket.length >= BUCKET_SIZE) bucket.splice(failing, 1);
    bucket.push(entry);
    return true;
  }

  /** Records that a node did not respond; removes it after too many failures. */
  failed(id: NodeId): void {
    const entry = this.find(id);
    if (entry === undefined) return;
    entry.failures += 1;
    if (entry.failures >= MAX_FAILURES) this.remove(id);
  }

  remove(id: NodeId): void {
    const bucket = this.#bucketOf(positionOf(id));
    const index = bucket.findIndex(({ enode }) => enode.id === id);
    if (index >= 0) bucket.splice(index, 1);
  }

  /** The closest nodes to a target. */
  closest(target: Uint8Array, count: number): readonly TableEntry[] {
    const position = keccak256(target);
    return [...this.all()]
      .sort((a, b) => compareDistance(position, a.position, b.position))
      .slice(0, count);
  }

  #hasRoomFor(host: string, bucket: readonly TableEntry[]): boolean {
    if (isLoopback(host)) return true;
    const subnet = subnetOf(host);
    const [isNear, mostInBucket, most] = isLocal(host)
      ? [(other: string) => other === host, MAX_OF_ADDRESS_IN_BUCKET, MAX_OF_ADDRESS]
      : [(other: string) => subnetOf(other) === subnet, MAX_OF_SUBNET_IN_BUCKET, MAX_OF_SUBNET];
    const count = (entries: readonly TableEntry[]) =>
      entries.filter(({ enode }) => isNear(enode.host)).length;
    return count(bucket) < mostInBucket && count(this.all()) < most;
  }

  #bucketOf(position: Uint8Array): TableEntry[] {
    const distance = logDistance(this.#own, position);
    const bucket = this.#buckets.get(distance) ?? [];
    this.#buckets.set(distance, bucket);
    return bucket;
  }
}

/** The position of a node: the hash of its id. */
export function positionOf(id: NodeId): Uint8Array {
  return keccak256(Buffer.from(id.slice(2), "hex"));
}

/** Compares the distance of two positions to a third; negative if the first is closer. */
export function compareDistance(from: Uint8Array, one: Uint8Array, other: Uint8Array): number {
  for (let index = 0; index < from.length; index++) {
    const difference =
      ((from[index] ?? 0) ^ (one[index] ?? 0)) - ((from[index] ?? 0) ^ (other[index] ?? 0));
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * The logarithmic distance: the number of bits from the first difference on; 0 for the same
 * position.
 */
export function logDistance(one: Uint8Array, other: Uint8Array): number {
  for (let index = 0; index < one.length; index++) {
    const difference = (one[index] ?? 0) ^ (other[index] ?? 0);
    if (difference !== 0) return 8 * (one.length - index) - (Math.clz32(difference) - 24);
  }
  return 0;
}
