import { setImmediate } from "node:timers/promises";
import type { Tasks } from "@plinth/core";

/** Work that is put off to a later turn of the event loop, so that nobody waits for it; in its order. */
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
