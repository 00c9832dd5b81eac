import {
  type HeadChanged,
  type RpcClient,
  RpcError,
  type Tasks,
  type Transaction,
  toQuantity,
} from "@plinth/core";
import type { SyncProgress } from "@plinth/core/network";
import { ChainNews, type NewsSource } from "./chain-news.js";
import { Deliveries } from "./deliveries.js";
import type { Topic } from "./topic.js";

interface Subscription {
  readonly id: bigint;
  readonly topic: Topic;
  readonly client: RpcClient;
}

const MAX_PER_CONNECTION = 1000;

/**
 * The subscriptions of all connections.
 *
 * Neither the chain nor the pool waits for subscribers: an event only records its
 * subscribers, and they are notified later.
 */
export class Subscriptions {
  readonly #connections = new Map<AbortSignal, Map<bigint, Subscription>>();
  /** The started subscriptions. */
  readonly #active = new Set<Subscription>();
  #lastId = 0n;
  #isSyncing = false;
  #context: (NewsSource & { readonly deliveries: Deliveries }) | undefined;

  /** Starts notifications. */
  open(source: NewsSource, tasks: Tasks): void {
    this.#context = { ...source, deliveries: new Deliveries(tasks) };
  }

  /** Adds a subscription; it starts when `begin` is called and ends with its connection. */
  add(topic: Topic, client: RpcClient): { readonly id: string; begin(): void } {
    const own = this.#subscriptionsOf(client);
    if (own.size >= MAX_PER_CONNECTION) {
      throw new RpcError(-32005, "Too many subscriptions on this connection");
    }
    this.#lastId += 1n;
    const subscription = { id: this.#lastId, topic, client };
    own.set(subscription.id, subscription);
    const begin = () => {
      if (own.has(subscription.id)) this.#active.add(subscription);
    };
    return { id: toQuantity(subscription.id), begin };
  }

  /** Ends a subscription of a connection; returns whether it existed. */
  remove(id: bigint, { closed }: RpcClient): boolean {
    const own = this.#connections.get(closed);
    const subscription = own?.get(id);
    if (own === undefined || subscription === undefined) return false;
    this.#active.delete(subscription);
    return own.delete(id);
  }

  /** The canonical chain changed. */
  headChanged(change: Pick<HeadChanged, "added" | "removed">): void {
    if (this.#context === undefined || this.#active.size === 0) return;
    const { deliveries, ...source } = this.#context;
    const subscribers = [...this.#active].filter(({ topic }) => topic.ofChain !== undefined);
    if (subscribers.length === 0) return;
    deliveries.add(() => {
      const news = new ChainNews(source, change);
      for (const subscriber of subscribers) {
        for (const result of subscriber.topic.ofChain?.(news) ?? [])
          this.#notify(subscriber, result);
      }
    });
  }

  /** The pool accepted a transaction. */
  transactionAdded(transaction: Transaction): void {
    this.#notifyOf(transaction, "ofPool");
  }

  /** A transaction left the pool without being mined. */
  transactionDropped(transaction: Transaction): void {
    this.#notifyOf(transaction, "ofDropped");
  }

  /** The sync progress changed; only the start and the end are sent. */
  syncProgressed(progress: SyncProgress): void {
    if (progress.syncing === this.#isSyncing) return;
    this.#isSyncing = progress.syncing;
    if (this.#context === undefined) return;
    const subscribers = [...this.#active].filter(({ topic }) => topic.ofSync !== undefined);
    this.#context.deliveries.add(() => {
      for (const subscriber of subscribers) {
        this.#notify(subscriber, subscriber.topic.ofSync?.(progress));
      }
    });
  }

  #notifyOf(transaction: Transaction, what: "ofPool" | "ofDropped"): void {
    if (this.#context === undefined || this.#active.size === 0) return;
    const subscribers = [...this.#active].filter(({ topic }) => topic[what] !== undefined);
    if (subscribers.length === 0) return;
    const { deliveries, compatibility } = this.#context;
    deliveries.add(() => {
      for (const subscriber of subscribers) {
        this.#notify(subscriber, subscriber.topic[what]?.(transaction, compatibility));
      }
    });
  }

  /** Sends a notification, unless the subscription has ended meanwhile. */
  #notify(subscription: Subscription, result: unknown): void {
    if (!this.#active.has(subscription)) return;
    const params = { subscription: toQuantity(subscription.id), result };
    subscription.client.notify?.("eth_subscription", params);
  }

  #subscriptionsOf({ closed }: RpcClient): Map<bigint, Subscription> {
    const known = this.#connections.get(closed);
    if (known !== undefined) return known;
    const own = new Map<bigint, Subscription>();
    if (closed.aborted) return own;
    this.#connections.set(closed, own);
    closed.addEventListener("abort", () => this.#leave(closed), { once: true });
    return own;
  }

  #leave(closed: AbortSignal): void {
    for (const subscription of this.#connections.get(closed)?.values() ?? []) {
      this.#active.delete(subscription);
    }
    this.#connections.delete(closed);
  }
}
