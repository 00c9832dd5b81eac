import type { Chain } from "../chain/chain.js";
import type { PluginState, PluginStatePlace } from "../chain/plugin-state.js";
import type { Clock } from "../kernel/clock.js";
import { ConfigError, PluginError } from "../kernel/errors.js";
import type { Logger } from "../kernel/logs/log.js";
import type { Compatibility } from "../rpc/compatibility.js";

/** The context of work on a thread. */
export interface QueryContext {
  readonly chain: Omit<Chain, "writer">;
  readonly state: { open(place: PluginStatePlace): PluginState };
  readonly compatibility: Compatibility;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Work of a plugin that may take long, such as running code.
 *
 * It runs on a worker thread if there are any, otherwise on the main thread. Its input and output
 * must be transferable between threads.
 */
export interface PluginQuery<P, R> {
  /** The name of the plugin, a dot and a word. */
  readonly name: string;
  /** Uses only its arguments: a thread can read the plugin's tables, but not its other state. */
  run(params: P, call: QueryContext): Promise<R>;
}

/** The time limit of work, and its caller. */
export interface QueryLimits {
  /** Aborted with `RunTooLong`; includes the time spent waiting for a thread. */
  readonly maxMs: number;
  /** Ends it. */
  readonly closed: AbortSignal;
  /** The client it belongs to: clients are served in turn. */
  readonly owner: object;
}

/** Declares work that may take long. */
export function defineQuery<P, R>(query: PluginQuery<P, R>): PluginQuery<P, R> {
  return Object.freeze(query);
}

/** Runs a query that the plugin registered. */
export interface PluginQueryRunner {
  run<P, R>(query: PluginQuery<P, R>, params: P, limits: QueryLimits): Promise<R>;
}

/** Queries registered by plugins, by name. */
export class PluginQueries {
  readonly #entries = new Map<string, { plugin: string; query: PluginQuery<never, unknown> }>();

  /**
   * Registers a query; throws if the name is taken, or has no dot, which is reserved for the core.
   */
  add(plugin: string, query: PluginQuery<never, unknown>): void {
    const { name } = query;
    if (!name.includes(".")) {
      throw new PluginError("QUERY_INVALID", {
        message: `${plugin} registers the query "${name}"; expected its own name, a dot and a word, such as "${plugin}.${name}"`,
        plugin,
      });
    }
    const other = this.#entries.get(name)?.plugin;
    if (other !== undefined) {
      throw new ConfigError("CONTRIBUTION_CONFLICT", {
        message:
          other === plugin
            ? `${plugin} registers the query "${name}" twice`
            : `${other} and ${plugin} both register the query "${name}"; keep one of them`,
      });
    }
    this.#entries.set(name, { plugin, query });
  }

  find(name: string) {
    return this.#entries.get(name);
  }

  /** The plugins with registered queries. */
  plugins(): readonly string[] {
    return [...this.#entries.values()].map(({ plugin }) => plugin);
  }
}
