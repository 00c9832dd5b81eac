import { type Address, toHex } from "@plinth/core";
import type { TraceFrame, TraceFrameEnd, Tracer } from "@plinth/core/evm";
import { CONSOLE_ADDRESS, formatConsoleCall } from "./console-log.js";

/** A call with those that it made. */
export interface CallNode {
  readonly frame: TraceFrame;
  end: TraceFrameEnd | undefined;
  readonly inner: (CallNode | string)[];
}

/** More calls than that are not shown. */
const MAX_CALLS = 1000;

/** Collects the calls of a transaction, and what contracts wrote to the console between them. */
export class CallTracer implements Tracer {
  root: CallNode | undefined;
  readonly consoleLines: string[] = [];
  readonly #open: (CallNode | undefined)[] = [];
  #count = 0;

  enter(frame: TraceFrame): void {
    if (frame.codeAddress === CONSOLE_ADDRESS) {
      this.#addConsoleLine(frame);
      this.#open.push(undefined);
      return;
    }
    this.#count += 1;
    const node: CallNode = { frame, end: undefined, inner: [] };
    if (this.#count <= MAX_CALLS) this.#current?.inner.push(node);
    this.root ??= node;
    this.#open.push(node);
  }

  exit(end: TraceFrameEnd): void {
    const node = this.#open.pop();
    if (node !== undefined) node.end = end;
  }

  get #current(): CallNode | undefined {
    return this.#open.findLast((node) => node !== undefined);
  }

  #addConsoleLine({ input }: TraceFrame): void {
    const line = formatConsoleCall(input) ?? `console.log ${toHex(input)}`;
    this.consoleLines.push(line);
    this.#current?.inner.push(line);
  }
}

/** Whose code a frame runs, or will have been. */
export function targetOf({ frame, end }: CallNode): Address | undefined {
  return frame.codeAddress ?? end?.createdAddress ?? frame.to;
}
