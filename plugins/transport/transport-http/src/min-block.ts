import type { Clock } from "@plinth/core";
import { Signal } from "@plinth/core/async";

/** The header with the number of a block that the caller has seen elsewhere. */
export const MIN_BLOCK = "x-plinth-min-block";

/** Why a request is not served. */
export interface NotYet {
  readonly status: number;
  readonly code: number;
  readonly message: string;
}

/** How long a request waits for its block. */
const MAX_WAIT_MS = 5_000;
const NUMBER = /^(\d{1,19}|0x[0-9a-f]{1,16})$/i;

/** Lets requests wait for a block, so that a caller never reads a state older than one that it has seen. */
export class MinBlock {
  readonly #clock: Clock;
  readonly #head: () => bigint;
  readonly #moved: Signal;

  constructor(clock: Clock, head: () => bigint) {
    this.#clock = clock;
    this.#head = head;
    this.#moved = new Signal(clock);
  }

  /** The head has changed. */
  headMoved(): void {
    this.#moved.notify();
  }

  /** Resolves once the head is at least the block, or to why it is not after some seconds. */
  async wait(text: string, signal: AbortSignal): Promise<NotYet | undefined> {
    if (!NUMBER.test(text)) {
      const message = `Invalid header X-Plinth-Min-Block: expected the number of a block, not '${text.slice(0, 40)}'`;
      return { status: 400, code: -32600, message };
    }
    const wanted = BigInt(text);
    const deadline = this.#clock.now() + MAX_WAIT_MS;
    while (this.#head() < wanted) {
      const timeoutMs = deadline - this.#clock.now();
      const hasMoved = timeoutMs > 0 && (await this.#moved.nextWithin({ timeoutMs, signal }));
      if (!hasMoved) return notYet(wanted, this.#head());
    }
    return undefined;
  }
}

function notYet(wanted: bigint, head: bigint): NotYet {
  const message = `Block ${wanted} is not here yet: the head is block ${head}, ${wanted - head} behind`;
  return { status: 503, code: -32000, message };
}
