/** Pieces that one side makes and another takes, in order; the maker hears how many were taken. */
export class PieceStream implements AsyncIterable<string | Uint8Array> {
  readonly #taken: (pieces: number) => void;
  readonly #abandoned: () => void;
  readonly #pieces: (string | Uint8Array)[] = [];
  #end: { readonly error?: Error } | undefined;
  #wake = () => {};

  constructor(events: { taken(pieces: number): void; abandoned(): void }) {
    this.#taken = events.taken;
    this.#abandoned = events.abandoned;
  }

  add(piece: string | Uint8Array): void {
    this.#pieces.push(piece);
    this.#wake();
  }

  /** Ends the stream, with an error when it is not whole. */
  end(error?: Error): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string | Uint8Array, void> {
    try {
      for (;;) {
        const pieces = this.#pieces.splice(0);
        for (const piece of pieces) yield piece;
        if (pieces.length > 0) this.#taken(pieces.length);
        else if (this.#end !== undefined) break;
        else await this.#more();
      }
      if (this.#end?.error !== undefined) throw this.#end.error;
    } finally {
      if (this.#end === undefined) this.#abandoned();
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
