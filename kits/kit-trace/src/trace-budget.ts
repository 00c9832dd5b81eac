import { RpcError } from "@plinth/core";

/** What the trace of one transaction may hold until it is answered, as text: two digits for a byte. */
const MAX_TRACE_BYTES = 2 ** 28;
const DIGITS_PER_BYTE = 2;
/** What a frame takes beside its data. */
const FRAME_BYTES = 256;

/** A trace that is answered at the end holds more than this node gives it, and was broken off. */
class TraceTooLarge extends RpcError {
  constructor(maxBytes: number) {
    super(-32000, `execution aborted: the trace is larger than ${maxBytes} bytes`);
    this.name = "TraceTooLarge";
  }
}

/** Counts what a trace holds until it is answered; gas is no bound for it. */
export class TraceBudget {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_TRACE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Counts data before it is kept; throws `TraceTooLarge` where there is not as much left. */
  keep(length: number): void {
    this.#take(length * DIGITS_PER_BYTE);
  }

  /** Counts a frame with what it is called with. */
  keepFrame(input: Uint8Array): void {
    this.#take(FRAME_BYTES + input.length * DIGITS_PER_BYTE);
  }

  #take(bytes: number): void {
    if (this.#bytes + bytes > this.#maxBytes) throw new TraceTooLarge(this.#maxBytes);
    this.#bytes += bytes;
  }
}
