import type { Sink } from "@plinth/kit-trace";

/** Streams items as the members of a JSON list. */
export class ListWriter {
  readonly #sink: Sink;
  #count = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Writes items, and applies backpressure. */
  async add(items: readonly unknown[]): Promise<void> {
    for (const item of items) {
      const separator = this.#count === 0 ? "[" : ",";
      this.#count += 1;
      await this.#sink.write(separator + JSON.stringify(item));
    }
  }

  /** Ends the list. */
  async end(): Promise<void> {
    await this.#sink.write(this.#count === 0 ? "[]" : "]");
  }
}
