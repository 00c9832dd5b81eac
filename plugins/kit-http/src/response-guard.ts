import type { Socket } from "node:net";
import {
  type Clock,
  type ConnectionBudget,
  ListenerBudget,
  type Logger,
  type PluginMetrics,
  type ResponseLimits,
} from "@plinth/core";

/** The limits of a listener for what it sends. */
export interface ResponseGuardSettings {
  readonly limits: ResponseLimits;
  /** A client that takes nothing of a response for so long is disconnected. */
  readonly writeTimeoutMs: number;
}

/** What counts the responses of a listener, and the clients that do not read them. */
interface Surroundings {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: ResponseMetrics;
}

/** The metrics of a listener's responses. */
export type ResponseMetrics = ReturnType<typeof createResponseMetrics>;

/** Declares the metrics of a listener's responses. */
export function createResponseMetrics(metrics: PluginMetrics, heldBytes: () => number) {
  metrics.gauge({
    name: "response_buffer_bytes",
    help: "Large responses in memory that clients have not read yet.",
    collect: heldBytes,
  });
  return {
    rejected: metrics.counter({
      name: "responses_too_large",
      help: "Responses that a size limit replaced by an error, or clients that it disconnected.",
      labels: ["limit"],
    }),
    disconnected: metrics.counter({
      name: "slow_readers_disconnected",
      help: "Clients that were disconnected because they did not read.",
    }),
  };
}

/** Limits the memory of responses, and the time that clients take to read them. */
export class ResponseGuard {
  readonly budget: ListenerBudget;
  readonly #writeTimeoutMs: number;
  readonly #surroundings: Surroundings;
  readonly #connections = new WeakMap<Socket, ConnectionBudget>();

  constructor({ limits, writeTimeoutMs }: ResponseGuardSettings, surroundings: Surroundings) {
    const { metrics } = surroundings;
    this.budget = new ListenerBudget(limits, (limit) => metrics.rejected.increment(1, { limit }));
    this.#writeTimeoutMs = writeTimeoutMs;
    this.#surroundings = surroundings;
  }

  /** The budget of a connection; it ends with the connection. */
  budgetOf(socket: Socket): ConnectionBudget {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const budget = this.budget.open(() => socket.destroy());
    this.#connections.set(socket, budget);
    if (socket.destroyed) budget.close();
    else socket.once("close", () => budget.close());
    return budget;
  }

  /** Calls back when a client has not read in time, unless it is cancelled before. */
  watchReader(disconnect: () => void): () => void {
    const { clock } = this.#surroundings;
    return clock.after(this.#writeTimeoutMs, () => this.disconnectReader(disconnect));
  }

  /** Disconnects a client that does not read. */
  disconnectReader(disconnect: () => void): void {
    const { metrics, log } = this.#surroundings;
    metrics.disconnected.increment();
    log.debug("disconnected a client that does not read its responses");
    disconnect();
  }
}
