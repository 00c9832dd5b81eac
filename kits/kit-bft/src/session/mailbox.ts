import { Yielder } from "@plinth/core";
import { Signal } from "@plinth/core/async";

/** The limits of droppable events. */
export interface MailboxLimits {
  readonly count: number;
  readonly bytes: number;
}

/** Events waiting to be handled, one at a time and in order. */
export class Mailbox<E> {
  readonly #limits: MailboxLimits;
  readonly #events: { readonly event: E; readonly size: number }[] = [];
  #bytes = 0;
  readonly #added = new Signal();

  constructor(limits: MailboxLimits) {
    this.#limits = limits;
  }

  /** Adds an event that must not be lost. */
  put(event: E): void {
    this.#push(event, 0);
  }

  /** Adds an event of this size; rejects it if the mailbox is full. */
  offer(event: E, size: number): boolean {
    const { count, bytes } = this.#limits;
    const isFull = this.#events.length >= count || (this.#bytes > 0 && this.#bytes + size > bytes);
    if (!isFull) this.#push(event, size);
    return !isFull;
  }

  /** Yields events until the signal aborts; yields the thread while many are handled in a row. */
  async *events(signal: AbortSignal): AsyncGenerator<E, undefined> {
    let yielder = new Yielder("chain");
    while (!signal.aborted) {
      const next = this.#events.shift();
      if (next === undefined) {
        await this.#added.nextWithin({ signal });
        yielder = new Yielder("chain");
        continue;
      }
      this.#bytes -= next.size;
      yield next.event;
      if (yielder.isDue) await yielder.yield();
    }
  }

  #push(event: E, size: number): void {
    this.#events.push({ event, size });
    this.#bytes += size;
    this.#added.notify();
  }
}
