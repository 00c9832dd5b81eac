import type { ProtocolSession } from "@plinth/core";
import { Signal } from "@plinth/core/async";

/** A peer is not read from while the backlog of a session exceeds this. */
const MAX_MESSAGES = 512;
const MAX_BYTES = 4 * 2 ** 20;

interface Message {
  readonly code: number;
  readonly payload: Uint8Array;
}

/** Delivers messages to a session one at a time, in order, with backpressure. */
export class SessionInbox {
  readonly #session: ProtocolSession;
  readonly #admit: ((code: number) => Promise<boolean>) | undefined;
  readonly #failed: (error: unknown) => void;
  readonly #queue: Message[] = [];
  #bytes = 0;
  #isRunning = false;
  #isClosed = false;
  readonly #space = new Signal();

  constructor(settings: {
    readonly session: ProtocolSession;
    /** Called before each message, if a plugin taps the hook. */
    readonly admit: ((code: number) => Promise<boolean>) | undefined;
    readonly failed: (error: unknown) => void;
  }) {
    this.#session = settings.session;
    this.#admit = settings.admit;
    this.#failed = settings.failed;
  }

  /** Queues a message; a promise resolves when more may be delivered. */
  receive(code: number, payload: Uint8Array): Promise<void> | undefined {
    if (this.#isClosed) return undefined;
    this.#queue.push({ code, payload });
    this.#bytes += payload.length;
    if (!this.#isRunning) void this.#run();
    return this.#hasRoom() ? undefined : this.#space.next();
  }

  /** Drops pending messages. */
  close(): void {
    this.#isClosed = true;
    this.#queue.length = 0;
    this.#bytes = 0;
    this.#space.notify();
  }

  #hasRoom(): boolean {
    return this.#queue.length < MAX_MESSAGES && this.#bytes < MAX_BYTES;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      for (;;) {
        const message = this.#queue[0];
        if (message === undefined) return;
        if (this.#admit === undefined || (await this.#admit(message.code))) {
          const handled = this.#session.received(message.code, message.payload);
          if (handled !== undefined) await handled;
        }
        if (this.#isClosed) return;
        this.#queue.shift();
        this.#bytes -= message.payload.length;
        if (this.#hasRoom()) this.#space.notify();
      }
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isRunning = false;
    }
  }
}
