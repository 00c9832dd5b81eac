import type { Plugin } from "./plugin.js";
import { SupervisedTasks, type TaskFailure } from "./tasks.js";

type Start<R> = (runtime: R) => unknown;
type Stop = () => unknown;

/** A loaded plugin: its lifecycle callbacks and whether it is active. */
export class PluginInstance<R> {
  readonly plugin: Plugin;
  readonly tasks: SupervisedTasks;
  readonly starts: Start<R>[] = [];
  readonly stops: Stop[] = [];
  /** Reloads its settings, if they may change at runtime. */
  readonly reloads: Stop[] = [];
  readonly #failures = new Map<string, TaskFailure>();
  /** The runtime of this plugin; set while the node opens. */
  runtime: R | undefined;
  /** Why it is loaded but idle. */
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

  /** Its failed work: the last error of each name. */
  get failures(): readonly TaskFailure[] {
    return [...this.#failures.values()];
  }

  /** Records that some of its work failed. */
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

  /** Active: neither disabled nor idle. */
  get active(): boolean {
    return !this.#disabled && this.idle === undefined;
  }

  /** Disables it in every flow from now on. */
  disable(): void {
    this.#disabled = true;
    this.abort();
  }

  /** Ends its tasks and calls. */
  abort(): void {
    this.#abort.abort();
  }
}
