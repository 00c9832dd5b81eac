import { setImmediate } from "node:timers/promises";
import type { Tasks } from "@plinth/core";

/** Defers work to a later turn of the event loop, in order, so that the chain and the pool do not wait for it. */
export class Deliveries {
  readonly #tasks: Tasks;
  #due: (() => void)[] = [];
  #isUnderWay = false;

  constructor(tasks: Tasks) {
    this.#tasks = tasks;
  }

  add(deliver: () => void): void {
    this.#due.push(deliver);
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    this.#tasks.run("notifications", () => this.#deliver());
  }

  async #deliver(): Promise<void> {
    try {
      while (this.#due.length > 0) {
        await setImmediate();
        for (const deliver of this.#due.splice(0)) deliver();
      }
    } finally {
      this.#isUnderWay = false;
    }
  }
}
