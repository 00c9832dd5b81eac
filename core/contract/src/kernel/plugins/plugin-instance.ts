import type { Plugin } from "./plugin.js";
import { SupervisedTasks, type TaskFailure } from "./tasks.js";

type Start<R> = (runtime: R) => unknown;
type Stop = () => unknown;

/** A loaded plugin: what it registered for its life and whether it still takes part. */
export class PluginInstance<R> {
  readonly plugin: Plugin;
  readonly tasks: SupervisedTasks;
  readonly starts: Start<R>[] = [];
  readonly stops: Stop[] = [];
  /** Reloads its settings, where they may change while the node runs. */
  readonly reloads: Stop[] = [];
  readonly #failures = new Map<string, TaskFailure>();
  /** What running code of this plugin sees; set while the node opens. */
  runtime: R | undefined;
  /** Why it is loaded but has nothing to do here. */
  idle: string | undefined;
  readonly #abort = new AbortController();
  #disabled = false;

  constructor(plugin: Plugin, failed: (instance: PluginInstance<R>, failure: TaskFailure) => void) {
    this.plugin = plugin;
    this.tasks = new SupervisedTasks(this.#abort.signal, (failure) => {
      this.fail(failure);
      failed(this, failure);
    });
  }

  get name(): string {
    return this.plugin.name;
  }

  /** What of it ended with an error: the last error of each name. */
  get failures(): readonly TaskFailure[] {
    return [...this.#failures.values()];
  }

  /** Remembers that something of it ended with an error. */
  fail(failure: TaskFailure): void {
    this.#failures.set(failure.name, failure);
  }

  get essential(): boolean {
    return this.plugin.essential === true;
  }

  /** Aborts when the plugin is disabled or the node stops. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get disabled(): boolean {
    return this.#disabled;
  }

  /** Takes part in flows: neither disabled nor idle. */
  get active(): boolean {
    return !this.#disabled && this.idle === undefined;
  }

  /** Takes it out of every flow from now on. */
  disable(): void {
    this.#disabled = true;
    this.abort();
  }

  /** Ends its tasks and calls. */
  abort(): void {
    this.#abort.abort();
  }
}
