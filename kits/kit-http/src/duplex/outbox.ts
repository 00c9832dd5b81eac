import { Yielder } from "@plinth/core";
import type { Part, ResponseBudget } from "@plinth/core/rpc";
import { MAX_PIECE, piecesOf } from "../bodies/pieces.js";
import type { ResponseGuard } from "../bodies/response-guard.js";

/** The part of a connection that messages are written to. */
export interface MessageSink {
  readonly bufferedAmount: number;
  send(
    data: string | Uint8Array,
    options: { readonly binary: false; readonly fin: boolean },
    done: (error?: Error | null) => void,
  ): void;
  terminate(): void;
}

/** The dependencies of an outbox. */
export interface OutboxSettings {
  readonly sink: MessageSink;
  readonly guard: ResponseGuard;
  readonly budget: ResponseBudget;
  readonly closed: AbortSignal;
}

/**
 * The outgoing messages of one connection, one after another.
 *
 * A long message is written in fragments as the client reads them; others wait until it is
 * complete, because fragments of two messages cannot be interleaved.
 */
export class Outbox {
  readonly #settings: OutboxSettings;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isBlocked = false;

  constructor(settings: OutboxSettings) {
    this.#settings = settings;
  }

  /** Whether the client has not read the last write. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** Resolves when all messages so far are written. */
  get written(): Promise<void> {
    return this.#last;
  }

  /**
   * Writes a message; `sent` is called before any later message is written. Rejects if its source
   * fails.
   */
  send(parts: readonly Part[], sent?: () => void): Promise<void> {
    const write = async () => {
      const [only] = parts;
      const isShort = parts.length === 1 && typeof only === "string" && only.length <= MAX_PIECE;
      const writing = isShort ? this.#write(only, true) : this.#writeFragments(parts);
      if (!isShort) await writing;
      sent?.();
      await writing;
    };
    const isIdle = this.#waiting === 0;
    this.#waiting += 1;
    const writing = (isIdle ? write() : this.#last.then(write)).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = writing.catch(() => {});
    return writing;
  }

  /** Writes a notification; a client that leaves too many of them unread is disconnected. */
  push(text: string): void {
    const { sink, guard, budget } = this.#settings;
    if (!budget.claim(text.length)) {
      guard.disconnectReader(() => sink.terminate());
      return;
    }
    void this.send([text]).finally(() => budget.release(text.length));
  }

  async #writeFragments(parts: readonly Part[]): Promise<void> {
    const { closed } = this.#settings;
    const yielder = new Yielder();
    for await (const piece of piecesOf(parts)) {
      if (closed.aborted) return;
      if (piece.length > 0) await this.#write(piece, false);
      await yielder.yield();
    }
    await this.#write("", true);
  }

  /** Resolves when the network has accepted the frame; the client must read in time. */
  async #write(data: string | Uint8Array, fin: boolean): Promise<void> {
    const { sink, guard } = this.#settings;
    // An error here means that the client has disconnected; `close` follows.
    const taken = new Promise<void>((resolve) => {
      sink.send(data, { binary: false, fin }, () => resolve());
    });
    if (sink.bufferedAmount === 0) return;
    this.#isBlocked = true;
    const cancel = guard.watchReader(() => sink.terminate());
    await taken;
    cancel();
    this.#isBlocked = false;
  }
}
