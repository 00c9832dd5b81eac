import { Signal } from "@plinth/core/async";
import { MAX_AHEAD } from "./messages.js";

/** Events that a stream reports to its producer. */
export interface PieceStreamEvents {
  /** Pieces of this size were read. */
  taken(size: number): void;
  abandoned(): void;
  /** The unread backlog blocks the producer. */
  blocked?(): void;
}

/**
 * Reads are reported to the producer in steps of this size, so that it continues while the rest is
 * read.
 */
const STEP = MAX_AHEAD / 4;
/** Network buffers fill up faster than this, even without a caller that reads. */
const BUFFERING_MS = 100;

/** Pieces from a producer to a consumer, in order; the producer learns how much was read. */
export class PieceStream implements AsyncIterable<string | Uint8Array> {
  readonly #events: PieceStreamEvents;
  readonly #pieces: (string | Uint8Array)[] = [];
  #end: { readonly error?: Error } | undefined;
  /** Size of added pieces not reported as read. */
  #ahead = 0;
  #blockedSince = 0;
  #isRead = false;
  readonly #changed = new Signal();

  constructor(events: PieceStreamEvents) {
    this.#events = events;
  }

  /** Whether the producer waits for the caller to read. */
  get isBlocked(): boolean {
    return this.#ahead >= MAX_AHEAD && this.#end === undefined;
  }

  /** Whether nothing more will be added. */
  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Size of the unread pieces. */
  get unreadBytes(): number {
    return this.#ahead;
  }

  /** Whether the caller reads, even slowly. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** When the caller last read a piece before the producer was blocked. */
  get blockedSince(): number {
    return this.#blockedSince;
  }

  add(piece: string | Uint8Array): void {
    const wasBlocked = this.isBlocked;
    this.#pieces.push(piece);
    this.#ahead += piece.length;
    this.#changed.notify();
    if (wasBlocked || !this.isBlocked) return;
    this.#blockedSince = performance.now();
    this.#events.blocked?.();
  }

  /** Ends the stream, with an error if it is incomplete. */
  end(error?: Error): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#changed.notify();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string | Uint8Array, void> {
    let size = 0;
    const report = () => {
      const now = performance.now();
      if (this.isBlocked && now - this.#blockedSince > BUFFERING_MS) this.#isRead = true;
      this.#blockedSince = now;
      this.#ahead -= size;
      this.#events.taken(size);
      size = 0;
    };
    try {
      for (;;) {
        const pieces = this.#pieces.splice(0);
        for (const piece of pieces) {
          yield piece;
          size += piece.length;
          if (size >= STEP) report();
        }
        if (size > 0) report();
        if (pieces.length > 0) continue;
        if (this.#end !== undefined) break;
        await this.#changed.next();
      }
      if (this.#end?.error !== undefined) throw this.#end.error;
    } finally {
      if (this.#end === undefined) this.#events.abandoned();
    }
  }
}
