/**
 * JSON of known length that is written piece by piece while it is sent.
 *
 * Synchronous iteration yields pieces whose memory is used again: a piece is valid until the next one is taken, and the last
 * one until the iteration ends. Asynchronous iteration yields copies.
 */
export class JsonPieces implements Iterable<Uint8Array>, AsyncIterable<Uint8Array> {
  readonly byteLength: number;
  readonly #write: () => Iterator<Uint8Array>;

  /** `write` begins from the start each time. */
  constructor(byteLength: number, write: () => Iterator<Uint8Array>) {
    this.byteLength = byteLength;
    this.#write = write;
  }

  [Symbol.iterator](): Iterator<Uint8Array> {
    return this.#write();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (const piece of this) yield Uint8Array.from(piece);
  }

  /** A copy of the whole. */
  join(): Uint8Array {
    const whole = new Uint8Array(this.byteLength);
    let length = 0;
    for (const piece of this) {
      whole.set(piece, length);
      length += piece.length;
    }
    return whole;
  }
}
