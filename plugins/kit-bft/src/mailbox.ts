/** Events that wait for the one who handles them, one at a time and in order. */
export class Mailbox<E> {
  readonly #limit: number;
  readonly #events: E[] = [];
  #wake: (() => void) | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether events of others must wait outside. */
  get isFull(): boolean {
    return this.#events.length >= this.#limit;
  }

  put(event: E): void {
    this.#events.push(event);
    this.#wake?.();
  }

  /** Yields events until the signal aborts. */
  async *events(signal: AbortSignal): AsyncGenerator<E, undefined> {
    while (!signal.aborted) {
      const event = this.#events.shift();
      if (event !== undefined) yield event;
      else await this.#wait(signal);
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener("abort", wake);
        this.#wake = undefined;
        resolve();
      };
      this.#wake = wake;
      signal.addEventListener("abort", wake);
    });
  }
}
