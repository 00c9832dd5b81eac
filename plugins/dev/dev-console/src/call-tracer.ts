import type { Address } from "@plinth/core";
import type { TraceFrame, TraceFrameEnd, Tracer } from "@plinth/core/evm";
import { CONSOLE_ADDRESS, formatConsoleCall } from "./console-log.js";
import { shortData } from "./short-data.js";

/** A call with its inner calls. */
export interface CallNode {
  readonly frame: TraceFrame;
  end: TraceFrameEnd | undefined;
  readonly inner: (CallNode | string)[];
}

/** Maximum number of calls and lines shown. */
const MAX_SHOWN = 1000;
/** Maximum amount of data shown: a call of a few gas may have megabytes. */
const MAX_BYTES = 8 * 2 ** 20;

/** Collects the calls of a transaction, and the console output of contracts between them. */
export class CallTracer implements Tracer {
  root: CallNode | undefined;
  readonly consoleLines: string[] = [];
  /** Whether the output was truncated. */
  isCut = false;
  readonly #open: (CallNode | undefined)[] = [];
  #count = 0;
  #bytes = 0;

  enter(frame: TraceFrame): void {
    if (frame.codeAddress === CONSOLE_ADDRESS) {
      this.#addConsoleLine(frame);
      this.#open.push(undefined);
      return;
    }
    const node: CallNode = { frame, end: undefined, inner: [] };
    if (this.#mayShow()) {
      this.#bytes += frame.input.length;
      this.#current?.inner.push(node);
      this.root ??= node;
    }
    this.#open.push(node);
  }

  exit(end: TraceFrameEnd): void {
    const node = this.#open.pop();
    if (node === undefined) return;
    node.end = end;
    this.#bytes += end.output.length;
  }

  get #current(): CallNode | undefined {
    return this.#open.findLast((node) => node !== undefined);
  }

  #mayShow(): boolean {
    this.#count += 1;
    const isWithin = this.#count <= MAX_SHOWN && this.#bytes <= MAX_BYTES;
    if (!isWithin) this.isCut = true;
    return isWithin;
  }

  #addConsoleLine({ input }: TraceFrame): void {
    if (!this.#mayShow()) return;
    const line = formatConsoleCall(input) ?? `console.log ${shortData(input)}`;
    this.consoleLines.push(line);
    this.#current?.inner.push(line);
  }
}

/** The account whose code a frame runs, or the contract being created. */
export function targetOf({ frame, end }: CallNode): Address | undefined {
  return frame.codeAddress ?? end?.createdAddress ?? frame.to;
}
