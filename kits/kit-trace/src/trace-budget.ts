import { RpcError } from "@plinth/core";

/** Maximum size of the trace of one transaction before it is sent, as text: two digits per byte. */
const MAX_TRACE_BYTES = 2 ** 28;
const DIGITS_PER_BYTE = 2;
/** Size of a frame besides its data. */
const FRAME_BYTES = 256;

/** A trace that is sent at the end exceeds the memory limit of this node, and was aborted. */
class TraceTooLarge extends RpcError {
  constructor(maxBytes: number) {
    super(-32000, `execution aborted: the trace is larger than ${maxBytes} bytes`);
    this.name = "TraceTooLarge";
  }
}

/** Counts what a trace retains until it is sent; gas does not limit it. */
export class TraceBudget {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_TRACE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Counts data before it is stored; throws `TraceTooLarge` if it exceeds the rest. */
  keep(length: number): void {
    this.#take(length * DIGITS_PER_BYTE);
  }

  /** Counts a frame with its input. */
  keepFrame(input: Uint8Array): void {
    this.#take(FRAME_BYTES + input.length * DIGITS_PER_BYTE);
  }

  #take(bytes: number): void {
    if (this.#bytes + bytes > this.#maxBytes) throw new TraceTooLarge(this.#maxBytes);
    this.#bytes += bytes;
  }
}
