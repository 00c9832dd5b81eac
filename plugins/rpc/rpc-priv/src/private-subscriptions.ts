import { type Compatibility, type RpcClient, RpcError, toQuantity } from "@plinth/core";
import { LogMatcher, type LogQuery, logObject } from "@plinth/kit-rpc";
import type { GroupChange } from "./private-filters.js";

const MAX_PER_CONNECTION = 1000;

interface Subscription {
  readonly id: bigint;
  readonly group: string;
  /** The key of the caller, in base64. */
  readonly key: string | undefined;
  readonly matcher: LogMatcher;
  readonly client: RpcClient;
  isActive: boolean;
}

/** Callers that are notified of the logs of groups. */
export class PrivateSubscriptions {
  readonly #connections = new Map<AbortSignal, Map<bigint, Subscription>>();
  #lastId = 0n;

  /** Adds a subscription; it starts when `begin` is called and ends with its connection. */
  add(
    group: string,
    query: LogQuery,
    client: RpcClient,
    key?: string,
  ): { readonly id: string; begin(): void } {
    const own = this.#of(client);
    if (own.size >= MAX_PER_CONNECTION) {
      throw new RpcError(-32005, "Too many subscriptions on this connection");
    }
    this.#lastId += 1n;
    const matcher = new LogMatcher(query.criteria);
    const subscription = { id: this.#lastId, group, key, matcher, client, isActive: false };
    own.set(subscription.id, subscription);
    return {
      id: toQuantity(subscription.id),
      begin() {
        subscription.isActive = true;
      },
    };
  }

  /** Ends a subscription of a connection to a group; returns whether it existed. */
  remove(id: bigint, group: string, { closed }: RpcClient): boolean {
    const own = this.#connections.get(closed);
    return own?.get(id)?.group === group && own.delete(id);
  }

  /** Ends the subscriptions of a key that is no longer a member of a group. */
  removeOf(group: string, key: string): void {
    for (const own of this.#connections.values()) {
      for (const [id, other] of own) if (other.group === group && other.key === key) own.delete(id);
    }
  }

  /** The ids of the groups that have subscribers. */
  groups(): ReadonlySet<string> {
    return new Set([...this.#all()].map(({ group }) => group));
  }

  /** A block of a group was executed, or left the chain. */
  changed({ privacyGroupId, logs }: GroupChange, compatibility: Compatibility): void {
    for (const { id, group, matcher, client, isActive } of this.#all()) {
      if (group !== privacyGroupId || !isActive) continue;
      for (const log of logs.filter(({ log }) => matcher.matches(log))) {
        const result = logObject(log, compatibility);
        client.notify?.("priv_subscription", {
          subscription: toQuantity(id),
          privacyGroupId,
          result,
        });
      }
    }
  }

  *#all(): Generator<Subscription> {
    for (const own of this.#connections.values()) yield* own.values();
  }

  #of({ closed }: RpcClient): Map<bigint, Subscription> {
    const known = this.#connections.get(closed);
    if (known !== undefined) return known;
    const own = new Map<bigint, Subscription>();
    if (closed.aborted) return own;
    this.#connections.set(closed, own);
    closed.addEventListener("abort", () => this.#connections.delete(closed), { once: true });
    return own;
  }
}
