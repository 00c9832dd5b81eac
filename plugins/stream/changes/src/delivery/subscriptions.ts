import { randomBytes } from "node:crypto";
import {
  type Hex,
  type Logger,
  messageOf,
  type RpcClient,
  RpcError,
  type Tasks,
  toHex,
} from "@plinth/core";
import type { Cursor } from "../records/cursor.js";
import type { ChangeStream } from "../service.js";
import { formatChange } from "./change-json.js";
import { Problem, toProblem } from "./problem.js";

/** What a subscriber receives, from where on. */
export interface Wanted extends Cursor {
  readonly state: boolean;
}

interface Subscription {
  readonly id: Hex;
  readonly wanted: Wanted;
  readonly client: RpcClient;
  readonly ended: AbortController;
}

/** The dependencies of subscriptions. */
export interface SubscriptionContext {
  readonly stream: ChangeStream;
  readonly tasks: Tasks;
  readonly log: Logger;
}

const MAX_PER_CONNECTION = 16;
/** Random, so that it is none of another kind of subscription on the same connection. */
const ID_BYTES = 16;
const INTERNAL = { code: -32603, message: "Internal error" };

/**
 * The subscriptions of all connections.
 *
 * A subscriber gets the next record once the network has accepted the last one, so that each has at most one in memory.
 */
export class ChangeSubscriptions {
  readonly #connections = new Map<AbortSignal, Map<Hex, Subscription>>();

  /** Number of subscriptions. */
  get count(): number {
    let count = 0;
    for (const own of this.#connections.values()) count += own.size;
    return count;
  }

  /** Adds a subscription; it starts when `begin` is called and ends with its connection. */
  add(
    wanted: Wanted,
    client: RpcClient,
    context: SubscriptionContext,
  ): { readonly id: Hex; begin(): void } {
    context.stream.verify(wanted);
    const own = this.#subscriptionsOf(client.closed);
    if (own.size >= MAX_PER_CONNECTION) {
      throw new RpcError(-32005, "Too many subscriptions to changes on this connection");
    }
    const id = toHex(randomBytes(ID_BYTES));
    const subscription = { id, wanted, client, ended: new AbortController() };
    own.set(id, subscription);
    const begin = () =>
      context.tasks.run("changes for a subscriber", (signal) =>
        this.#deliver(subscription, context, signal),
      );
    return { id, begin };
  }

  /** Ends a subscription of a connection; returns whether it existed. */
  remove(id: string, { closed }: RpcClient): boolean {
    const own = this.#connections.get(closed);
    const subscription = own?.get(id as Hex);
    if (own === undefined || subscription === undefined) return false;
    subscription.ended.abort();
    return own.delete(subscription.id);
  }

  async #deliver(
    { id, wanted, client, ended }: Subscription,
    { stream, log }: SubscriptionContext,
    stopping: AbortSignal,
  ): Promise<void> {
    // A call can be executed after its connection is closed.
    const signal = AbortSignal.any([ended.signal, client.closed, stopping]);
    let { sequence } = wanted;
    try {
      for await (const record of stream.follow(wanted, signal)) {
        ({ sequence } = record);
        const result = formatChange(await stream.load(record, wanted));
        if (signal.aborted) break;
        client.notify?.("plinth_subscription", { subscription: id, result });
        await untilWritten(client, signal);
      }
    } catch (error) {
      const problem = toProblem(error, sequence);
      if (!(problem instanceof Problem)) {
        log.error(`record ${sequence} could not be delivered: ${messageOf(error)}`, { error });
      }
      const shown = problem instanceof Problem ? problem.toJson() : INTERNAL;
      client.notify?.("plinth_subscription", { subscription: id, error: shown });
    } finally {
      this.remove(id, client);
    }
  }

  #subscriptionsOf(closed: AbortSignal): Map<Hex, Subscription> {
    const known = this.#connections.get(closed);
    if (known !== undefined) return known;
    const own = new Map<Hex, Subscription>();
    this.#connections.set(closed, own);
    const leave = () => {
      for (const { ended } of own.values()) ended.abort();
      this.#connections.delete(closed);
    };
    if (closed.aborted) leave();
    else closed.addEventListener("abort", leave, { once: true });
    return own;
  }
}

/** Resolves when the network has accepted what was sent, or the subscription has ended. */
function untilWritten({ written }: RpcClient, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener("abort", end);
      resolve();
    };
    signal.addEventListener("abort", end);
    if (written === undefined || signal.aborted) end();
    else void written().then(end);
  });
}
