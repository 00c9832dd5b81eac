const INITIAL_BYTES = 4096;
/** A larger buffer is released as soon as it is empty. */
const KEPT_BYTES = 64 * 1024;

/**
 * Bytes that arrive in pieces and are read in others.
 *
 * They are in one array that grows with the backlog: a peer that sends single bytes costs no more than others.
 */
export class ByteQueue {
  #bytes = Buffer.alloc(INITIAL_BYTES);
  #start = 0;
  #end = 0;

  /** Number of buffered bytes. */
  get length(): number {
    return this.#end - this.#start;
  }

  push(chunk: Uint8Array): void {
    if (this.#end + chunk.length > this.#bytes.length) this.#makeRoom(chunk.length);
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** The next bytes, exactly that many; `undefined` while there are fewer. */
  take(count: number): Uint8Array | undefined {
    if (count > this.length) return undefined;
    const taken = Uint8Array.prototype.slice.call(this.#bytes, this.#start, this.#start + count);
    this.#start += count;
    if (this.#start === this.#end) this.clear();
    return new Uint8Array(taken.buffer, taken.byteOffset, taken.length);
  }

  /** The buffered bytes from `from` up to `to`; valid until the queue changes. */
  view(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(this.#start + from, Math.min(this.#start + to, this.#end));
  }

  clear(): void {
    this.#start = 0;
    this.#end = 0;
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.alloc(INITIAL_BYTES);
  }

  /** Moves the buffered bytes to the front, growing the array if necessary. */
  #makeRoom(count: number): void {
    const needed = this.length + count;
    const size = needed > this.#bytes.length / 2 ? needed * 2 : this.#bytes.length;
    const moved = Buffer.alloc(size);
    this.#bytes.copy(moved, 0, this.#start, this.#end);
    this.#bytes = moved;
    this.#end = this.length;
    this.#start = 0;
  }
}
