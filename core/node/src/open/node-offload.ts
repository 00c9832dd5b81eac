import type { Clock, Logger } from "@plinth/core";
import { messageOf } from "@plinth/core";
import { type Contributions, within } from "@plinth/core/kernel";
import {
  type OffloadContext,
  type OffloadOrder,
  offloads,
  type QueryOffload,
} from "@plinth/core/query";
import { PHASE_LIMIT_MS } from "../plugin/phase-limit.js";
import { failedIn } from "../plugin/registries.js";

/** The dependencies of an offload. */
export interface NodeOffloadSettings {
  readonly contributions: Contributions;
  /** Plugins that cannot be disabled while the node runs, with what it uses of each. */
  readonly inUse: Map<string, string>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The offload of a plugin: its errors name the plugin, and do not keep the node from stopping. */
export class NodeOffload implements QueryOffload {
  readonly #plugin: string;
  readonly #offload: QueryOffload;
  readonly #settings: NodeOffloadSettings;

  private constructor(plugin: string, create: () => QueryOffload, settings: NodeOffloadSettings) {
    this.#plugin = plugin;
    this.#settings = settings;
    this.#offload = this.#verify(create);
  }

  /** `undefined` if no plugin contributes one: everything runs on the main thread. */
  static create(settings: NodeOffloadSettings): NodeOffload | undefined {
    const [found] = settings.contributions.entries(offloads);
    if (found === undefined) return undefined;
    settings.inUse.set(found.plugin, "the offload of calls");
    return new NodeOffload(found.plugin, found.item, settings);
  }

  get interrupt(): () => void {
    return this.#offload.interrupt;
  }

  open(context: OffloadContext): void {
    this.#verify(() => this.#offload.open(context));
  }

  run(order: OffloadOrder): Promise<unknown> | undefined {
    return this.#offload.run(order);
  }

  /** Failures and timeouts are logged and ignored. */
  async close(): Promise<void> {
    const { clock, log } = this.#settings;
    try {
      const closing = (async () => this.#offload.close())();
      if ((await within(clock, PHASE_LIMIT_MS, closing)).done) return;
      log.warn(`Service ${this.#plugin} did not shut down cleanly`);
    } catch (error) {
      log.error(`${this.#plugin} failed in ${offloads.id}: ${messageOf(error)}`, { error });
    }
  }

  #verify<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      throw failedIn({ name: this.#plugin }, offloads.id, error);
    }
  }
}
