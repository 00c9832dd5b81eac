import { Signal } from "@plinth/core/async";
import { MAX_AHEAD } from "./messages.js";

/** What a stream reports to its maker. */
export interface PieceStreamEvents {
  /** Pieces of this size were taken. */
  taken(size: number): void;
  abandoned(): void;
  /** So much is waiting that the maker waits, too. */
  blocked?(): void;
}

/** The maker hears of what was taken in steps of this size, so that it goes on while the rest is taken. */
const STEP = MAX_AHEAD / 4;
/** Buffers of the network are filled faster than this, without a caller that reads. */
const BUFFERING_MS = 100;

/** Pieces that one side makes and another takes, in order; the maker hears how much was taken. */
export class PieceStream implements AsyncIterable<string | Uint8Array> {
  readonly #events: PieceStreamEvents;
  readonly #pieces: (string | Uint8Array)[] = [];
  #end: { readonly error?: Error } | undefined;
  /** The size of what was added and is not reported as taken. */
  #ahead = 0;
  #blockedSince = 0;
  #isRead = false;
  readonly #changed = new Signal();

  constructor(events: PieceStreamEvents) {
    this.#events = events;
  }

  /** Whether the maker waits for the caller to take pieces. */
  get isBlocked(): boolean {
    return this.#ahead >= MAX_AHEAD && this.#end === undefined;
  }

  /** Whether nothing more will be added. */
  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  /** The size of what the caller has not taken. */
  get unreadBytes(): number {
    return this.#ahead;
  }

  /** Whether the caller reads, slowly as it may be. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** When the caller last took a piece before the maker had to wait. */
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

  /** Ends the stream, with an error when it is not whole. */
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
