import type { TraceFrame, TraceFrameEnd, Tracer, TraceStep } from "@plinth/core/evm";
import type { Sink } from "@plinth/kit-trace";
import { memoryAfter } from "./memory.js";
import type { FinishedStep, StepFormat } from "./step-format.js";
import { StorageWrites } from "./storage-writes.js";

const SSTORE = 0x55;
const STOP = 0x00;
const CREATES: readonly number[] = [0xf0, 0xf5];
const CALLS: readonly number[] = [0xf1, 0xf2, 0xf4, 0xfa];
const CALLS_WITH_VALUE: readonly number[] = [0xf1, 0xf2];
/** The stipend of a call that sends value. */
const STIPEND = 2300n;
/** EIP-150: a call retains one part in this many. */
const PARTS = 64n;
const NOTHING = new Uint8Array();

/** A frame in progress. */
interface OpenFrame {
  readonly frame: TraceFrame;
  readonly writes: StorageWrites;
  hasSteps: boolean;
  returnData: Uint8Array;
}

/**
 * Records every step as a struct log.
 *
 * Some fields are known only after the step, so each log is written at the next event.
 */
export class StructLogTracer implements Tracer {
  readonly #format: StepFormat;
  readonly #sink: Sink;
  readonly #frames: OpenFrame[] = [];
  #waiting: TraceStep | undefined;
  readonly #limit: number;
  #count = 0;
  /** What the sink asked to wait for, until a step can do so. */
  #drained: Promise<void> | undefined;

  /** `limit` is the maximum number of recorded steps; unlimited if zero. */
  constructor(format: StepFormat, sink: Sink, { limit }: { readonly limit: number }) {
    this.#format = format;
    this.#sink = sink;
    this.#limit = limit;
  }

  enter(frame: TraceFrame): void {
    const step = this.#waiting;
    if (step !== undefined) {
      const unpaid = this.#format.countsStipend ? 0n : stipendOf(step);
      const handed = CREATES.includes(step.op) ? 0n : frame.gas - unpaid;
      this.#finish({ step, memory: memoryAfter(step), cost: step.cost + handed });
    }
    this.#frames.push({ frame, writes: new StorageWrites(), hasSteps: false, returnData: NOTHING });
  }

  step(step: TraceStep): Promise<void> | undefined {
    const before = this.#waiting;
    if (before !== undefined) {
      const cost = before.cost + this.#withheld(before);
      this.#finish({ step: before, memory: step.memory, cost, top: step.stack.at(-1) });
    }
    const frame = this.#frames.at(-1);
    if (frame !== undefined) frame.hasSteps = true;
    this.#waiting = step;
    const drained = this.#drained;
    this.#drained = undefined;
    return drained;
  }

  exit(end: TraceFrameEnd): void {
    const step = this.#waiting;
    if (step !== undefined) this.#finish(this.#lastStep(step, end));
    const closed = this.#frames.pop();
    if (closed === undefined) return;
    if (!closed.hasSteps) this.#writeEmpty(closed.frame, end);
    const outer = this.#frames.at(-1);
    if (outer === undefined) return;
    if (end.outcome === "success") outer.writes.merge(closed.writes);
    const isCreated = closed.frame.to === undefined && end.outcome === "success";
    outer.returnData = isCreated ? NOTHING : end.output;
  }

  #finish(finished: FinishedStep): void {
    const { step, halt } = finished;
    this.#waiting = undefined;
    const { writes, returnData } = this.#frames.at(-1) ?? NO_FRAME;
    if (step.op === SSTORE && halt === undefined) {
      writes.set(step.address, step.stack.at(-1) ?? 0n, step.stack.at(-2) ?? 0n);
    }
    this.#write(this.#format.write(finished, { written: writes.of(step.address), returnData }));
  }

  /**
   * An empty account executes a STOP if the format shows it; a precompile executes no instruction.
   */
  #writeEmpty(frame: TraceFrame, end: TraceFrameEnd): void {
    const isShown = this.#format.showsEmptyCode && (!frame.isPrecompile || frame.depth === 1);
    if (!isShown) return;
    if (frame.isPrecompile) {
      this.#write(this.#format.writePrecompile(frame));
      return;
    }
    const { depth, gas, to } = frame;
    const address = to ?? end.createdAddress ?? frame.from;
    const nothing = { memory: NOTHING, cost: 0n };
    const step = { ...nothing, depth, gas, address, pc: 0, op: STOP, stack: [], refund: 0n };
    const context = { written: [], returnData: NOTHING };
    this.#write(this.#format.write({ ...nothing, step }, context));
  }

  #lastStep(step: TraceStep, { outcome, halt = "", output }: TraceFrameEnd): FinishedStep {
    if (outcome === "halted") {
      return { step, memory: step.memory, cost: this.#format.haltCost(step, halt), halt };
    }
    const memory = memoryAfter(step);
    return outcome === "reverted"
      ? { step, memory, cost: step.cost, reason: output }
      : { step, memory, cost: step.cost };
  }

  /**
   * A call that started no frame costs what it would have passed on; in Besu, what is left after
   * it.
   */
  #withheld(step: TraceStep): bigint {
    if (!CALLS.includes(step.op)) return 0n;
    const left = step.gas - step.cost;
    if (this.#format.countsStipend) return left + stipendOf(step);
    const most = left - left / PARTS;
    const wanted = step.stack.at(-1) ?? 0n;
    return wanted < most ? wanted : most;
  }

  #write(text: string): void {
    if (this.#limit > 0 && this.#count >= this.#limit) return;
    const separator = this.#count === 0 ? "" : ",";
    this.#count += 1;
    this.#drained = this.#sink.write(separator + text) ?? this.#drained;
  }
}

const NO_FRAME = { writes: new StorageWrites(), returnData: NOTHING };

function stipendOf({ op, stack }: TraceStep): bigint {
  const sendsValue = CALLS_WITH_VALUE.includes(op) && (stack.at(-3) ?? 0n) > 0n;
  return sendsValue ? STIPEND : 0n;
}
