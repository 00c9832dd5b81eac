import type { Socket } from "node:net";
import {
  type Clock,
  type Counter,
  type Logger,
  type PluginMetrics,
  type Runtime,
  systemClock,
} from "@plinth/core";
import { type ConnectionBudget, ListenerBudget, type ResponseLimits } from "@plinth/core/rpc";

/** The send limits of a listener. */
export interface ResponseGuardSettings {
  readonly limits: ResponseLimits;
  /** A client that reads nothing of a response for this long is disconnected. */
  readonly writeTimeoutMs: number;
}

/** The part of a plugin's node that a guard registers with. */
export interface GuardedNode {
  readonly log: Logger;
  readonly metrics: PluginMetrics;
  onStart(start: (runtime: Pick<Runtime, "clock">) => void): void;
}

/** Limits the memory of a listener's responses, and the time that clients take to read them. */
export class ResponseGuard {
  readonly budget: ListenerBudget;
  readonly #writeTimeoutMs: number;
  readonly #log: Logger;
  readonly #disconnected: Counter;
  readonly #connections = new WeakMap<Socket, ConnectionBudget>();
  #clock: Clock = systemClock;

  /** Declares the metrics of the listener's plugin. */
  constructor(
    { log, metrics, onStart }: GuardedNode,
    { limits, writeTimeoutMs }: ResponseGuardSettings,
  ) {
    const rejected = metrics.counter({
      name: "responses_too_large",
      help: "Responses replaced by an error, or clients disconnected, because of a size limit.",
      labels: ["limit"],
    });
    this.budget = new ListenerBudget(limits, (limit) => rejected.increment(1, { limit }));
    this.#writeTimeoutMs = writeTimeoutMs;
    this.#log = log;
    this.#disconnected = metrics.counter({
      name: "slow_readers_disconnected",
      help: "Clients disconnected because they did not read.",
    });
    metrics.gauge({
      name: "response_buffer_bytes",
      help: "Large responses in memory that clients have not read yet.",
      collect: () => this.budget.heldBytes,
    });
    onStart(({ clock }) => {
      this.#clock = clock;
    });
  }

  /** The budget of a connection; it ends with the connection. */
  budgetOf(socket: Socket): ConnectionBudget {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const budget = this.budget.open(() => this.disconnectReader(() => socket.destroy()));
    this.#connections.set(socket, budget);
    if (socket.destroyed) budget.close();
    else socket.once("close", () => budget.close());
    return budget;
  }

  /** Disconnects a client that does not read in time, unless it is canceled before. */
  watchReader(disconnect: () => void): () => void {
    return this.#clock.after(this.#writeTimeoutMs, () => this.disconnectReader(disconnect));
  }

  /** Disconnects a client that does not read. */
  disconnectReader(disconnect: () => void): void {
    this.#disconnected.increment();
    this.#log.debug("disconnected a client that does not read its responses");
    disconnect();
  }
}
