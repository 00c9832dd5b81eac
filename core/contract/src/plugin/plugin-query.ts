import type { Chain } from "../chain/chain.js";
import type { PluginState, PluginStatePlace } from "../chain/plugin-state.js";
import type { Clock } from "../kernel/clock.js";
import { ConfigError, PluginError } from "../kernel/errors.js";
import type { Logger } from "../kernel/logs/log.js";
import type { Compatibility } from "../rpc/compatibility.js";

/** What work on a thread sees. */
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
 * It runs on a thread where there are some, else on the main thread. What goes in and comes out must be
 * something that can be handed from thread to thread.
 */
export interface PluginQuery<P, R> {
  /** The name of the plugin, a dot and a word. */
  readonly name: string;
  /** Uses what it is handed and nothing else: a thread has the plugin's tables to read, but not its other state. */
  run(params: P, call: QueryContext): Promise<R>;
}

/** How long work may take, and who waits for it. */
export interface QueryLimits {
  /** Broken off with `RunTooLong`; counted with the time that it waits for a thread. */
  readonly maxMs: number;
  /** Ends it. */
  readonly closed: AbortSignal;
  /** Whose it is: they are served in turn. */
  readonly owner: object;
}

/** Declares work that may take long. */
export function defineQuery<P, R>(query: PluginQuery<P, R>): PluginQuery<P, R> {
  return Object.freeze(query);
}

/** Runs work that the plugin registered. */
export interface PluginQueryRunner {
  run<P, R>(query: PluginQuery<P, R>, params: P, limits: QueryLimits): Promise<R>;
}

/** Queries that plugins registered, by name. */
export class PluginQueries {
  readonly #entries = new Map<string, { plugin: string; query: PluginQuery<never, unknown> }>();

  /** Registers a query; throws where the name is taken, or has no dot, as only those of the core have. */
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

  /** The plugins that have some. */
  plugins(): readonly string[] {
    return [...this.#entries.values()].map(({ plugin }) => plugin);
  }
}
