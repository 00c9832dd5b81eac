import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Signal } from "@plinth/core/async";
import type { Database } from "@plinth/plugin-relay-postgres/api";

type Message =
  | { readonly isStep: true }
  | { readonly task: string; readonly output?: unknown; readonly failure?: string }
  | Statement;

interface Statement {
  readonly id: number;
  readonly method: "query" | "execute" | "copy";
  readonly args: [string, never];
}

/** A process that does tasks one after another, and whose statements run in a database of this one. */
export class ServedProcess {
  readonly #child: ChildProcess;
  readonly #database: Database;
  readonly #exited: Promise<unknown>;
  readonly #stepped = new Signal();
  #steps = 0;
  #tasks: Promise<unknown>;
  #statements: Promise<void> = Promise.resolve();
  #finished:
    | ((message: { readonly output?: unknown; readonly failure?: string }) => void)
    | undefined;

  /** Resolves once its modules are loaded. */
  readonly loaded: Promise<unknown>;

  constructor(program: string, args: readonly string[], database: Database) {
    this.#database = database;
    this.#child = fork(program, args, { execArgv: [], serialization: "advanced" });
    this.#exited = once(this.#child, "exit");
    this.loaded = this.#finish("load");
    this.#tasks = this.loaded;
    this.#child.on("message", (message: Message) => {
      if ("task" in message) {
        this.#finished?.(message);
        return;
      }
      this.#steps += 1;
      this.#stepped.notify();
      if ("id" in message) this.#statements = this.#statements.then(() => this.#run(message));
    });
  }

  /** Resolves to the result of a task, which begins after those before it; rejects if one fails, or the process ends before. */
  run(task: string, input: object = {}): Promise<unknown> {
    this.#tasks = this.#tasks.then(() => {
      const finished = this.#finish(task);
      this.#child.send({ task, input }, () => {});
      return finished;
    });
    this.#tasks.catch(() => {});
    return this.#tasks;
  }

  /** Resolves once its tasks have ended, and it has then run so many statements and reported so many steps. */
  async proceed(steps: number): Promise<void> {
    await this.#tasks;
    const last = this.#steps + steps;
    while (this.#steps < last)
      await Promise.race([this.#stepped.next(), this.#ended(`${steps} steps`)]);
  }

  /** Kills it; resolves once the last of its statements has ended. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
    await this.#statements;
  }

  #finish(task: string): Promise<unknown> {
    const finished = new Promise((resolve, reject) => {
      this.#finished = ({ output, failure }) =>
        failure === undefined ? resolve(output) : reject(new Error(`${task}: ${failure}`));
    });
    const result = Promise.race([finished, this.#ended(task)]);
    // It may be killed while nothing waits for the task.
    result.catch(() => {});
    return result;
  }

  async #ended(what: string): Promise<never> {
    await this.#exited;
    throw new Error(`the process ended before it had finished: ${what}`);
  }

  async #run({ id, method, args }: Statement): Promise<void> {
    // A statement is not run once its client is gone.
    if (!this.#child.connected) return;
    const reply = await this.#database[method](...args).then(
      (rows) => ({ id, rows: rows ?? [] }),
      (error: unknown) => ({ id, error: String(error) }),
    );
    // It may have been killed meanwhile.
    if (this.#child.connected) this.#child.send(reply, () => {});
  }
}
