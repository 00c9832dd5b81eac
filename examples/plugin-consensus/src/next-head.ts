/** Lets an engine wait until the chain has another head. */
export class NextHead {
  #wake: () => void = () => {};

  /** Tells the one who waits. */
  announce(): void {
    this.#wake();
  }

  /** Resolves with the next head, or when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#wake = wake;
      signal.addEventListener("abort", wake);
    });
  }
}
