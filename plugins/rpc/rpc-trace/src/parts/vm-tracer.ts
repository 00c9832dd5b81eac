import { type StateReader, toHex, toQuantity } from "@plinth/core";
import type { TraceFrame, TraceFrameEnd, Tracer, TraceStep } from "@plinth/core/evm";
import { dataAt, opcodeName, type Sink } from "@plinth/kit-trace";
import { codeOf } from "./code-of.js";
import { regionOf } from "./memory-region.js";
import { itemsProducedBy } from "./stack-items.js";

const STOP = 0x00;
const EXTCODECOPY = 0x3c;
/** CALL and DELEGATECALL. */
const SHOWN_EMPTY: readonly number[] = [0xf1, 0xf4];
const SSTORE = 0x55;
const CREATE = 0xf0;
const RETURN = 0xf3;
const OUT_OF_GAS = "INSUFFICIENT_GAS";
/** Halt reasons that concern the code deposit of a creation. */
const DEPOSIT_HALTS = [OUT_OF_GAS, "CODE_TOO_LARGE", "INVALID_CODE"];
/** Steps that halt for other reasons are omitted. */
const REPORTED_HALTS = [OUT_OF_GAS, "INVALID_JUMP_DESTINATION", "ILLEGAL_STATE_CHANGE"];

/** A frame in progress, and its step in progress. */
interface OpenFrame {
  readonly frame: TraceFrame;
  readonly hasCode: boolean;
  /** Number of written steps. */
  written: number;
  waiting: TraceStep | undefined;
  /** The frame that the current step has started, once it has ended. */
  inner: EndedFrame | undefined;
}

interface EndedFrame extends Pick<OpenFrame, "frame" | "hasCode"> {
  readonly end: TraceFrameEnd;
}

/**
 * Writes every step with its cost and effects, with inner frames nested in the steps that started them.
 *
 * The effects of a step are known when the next one starts; its inner frame comes before that, so `sub` is written first.
 */
export class VmTracer implements Tracer {
  readonly #state: StateReader;
  readonly #sink: Sink;
  readonly #isBesu: boolean;
  readonly #frames: OpenFrame[] = [];
  /** What the sink asked to wait for, until a step can do so. */
  #drained: Promise<void> | undefined;

  /** `isBesu`: memory is shown as in Besu, and instructions have no names. */
  constructor(state: StateReader, sink: Sink, { isBesu }: { readonly isBesu: boolean }) {
    this.#state = state;
    this.#sink = sink;
    this.#isBesu = isBesu;
  }

  enter(frame: TraceFrame): void {
    const outer = this.#frames.at(-1);
    const code = codeOf(frame, this.#state);
    const begin = outer?.waiting === undefined ? "" : `${this.#begin(outer, outer.waiting)},"sub":`;
    this.#write(`${begin}{"code":"${code}","ops":[`);
    const hasCode = code !== "0x";
    this.#frames.push({ frame, hasCode, written: 0, waiting: undefined, inner: undefined });
  }

  step(step: TraceStep): Promise<void> | undefined {
    const open = this.#frames.at(-1);
    if (open === undefined) return undefined;
    if (open.waiting !== undefined) this.#finish(open, open.waiting, step);
    open.waiting = step;
    open.inner = undefined;
    const drained = this.#drained;
    this.#drained = undefined;
    return drained;
  }

  exit(end: TraceFrameEnd): void {
    const open = this.#frames.pop();
    if (open === undefined) return;
    if (open.waiting !== undefined) this.#finishLast(open, open.waiting, end);
    this.#write("]}");
    const outer = this.#frames.at(-1);
    if (outer !== undefined) outer.inner = { frame: open.frame, hasCode: open.hasCode, end };
  }

  #begin(open: OpenFrame, { pc, op }: TraceStep): string {
    const separator = open.written === 0 ? "" : ",";
    open.written += 1;
    const name = this.#isBesu ? "" : `,"op":"${opcodeName(op, { isMerged: true })}"`;
    return `${separator}{"pc":${pc}${name}`;
  }

  /** Writes a step after which its frame continues. */
  #finish(open: OpenFrame, step: TraceStep, next: TraceStep): void {
    const { inner } = open;
    const produced = itemsProducedBy(step.op);
    const push = produced === 0 ? [] : next.stack.slice(-produced).map(toQuantity);
    const mem = this.#isBesu ? besuMemoryOf(step, next, inner) : memoryOf(step, next, inner);
    const ex = { mem, push, store: storeOf(step), used: Number(next.gas) };
    this.#end(open, step, { cost: step.cost + handedTo(inner), ex });
  }

  /** Writes the step that ends a frame. */
  #finishLast(open: OpenFrame, step: TraceStep, { outcome, halt }: TraceFrameEnd): void {
    if (step.isImplicit === true) return;
    const isFault = outcome === "halted" && !hasRun(step, halt);
    if (isFault && !REPORTED_HALTS.includes(halt ?? "")) return;
    const left = step.gas > step.cost ? step.gas - step.cost : 0n;
    const ex = { mem: null, push: [], store: null, used: Number(left) };
    const isHidden = isFault && halt === OUT_OF_GAS && step.depth > 1;
    this.#end(open, step, { cost: step.cost, ex: isHidden ? null : ex });
  }

  #end(
    open: OpenFrame,
    step: TraceStep,
    { cost, ex }: { readonly cost: bigint; readonly ex: object | null },
  ): void {
    const rest = `,"cost":${cost},"ex":${JSON.stringify(ex)}}`;
    this.#write(open.inner === undefined ? `${this.#begin(open, step)},"sub":null${rest}` : rest);
  }

  #write(text: string): void {
    this.#drained = this.#sink.write(text) ?? this.#drained;
  }
}

/** The gas that a step passed to the frame it started. */
function handedTo(inner: EndedFrame | undefined): bigint {
  if (inner === undefined) return 0n;
  const { frame, hasCode, end } = inner;
  if (frame.isPrecompile) return end.gasUsed;
  const isForeign = frame.kind === "delegatecall" || frame.kind === "callcode";
  return isForeign && !hasCode ? 0n : frame.gas;
}

/** A step that ended its frame normally: the failure is in the code deposit. */
function hasRun({ op, gas, cost }: TraceStep, halt = ""): boolean {
  return (op === STOP || op === RETURN) && gas >= cost && DEPOSIT_HALTS.includes(halt);
}

/** The memory that a step wrote; for a call, the output of the callee. */
function memoryOf(
  { op, stack }: TraceStep,
  { memory }: TraceStep,
  inner: EndedFrame | undefined,
): object | null {
  const region = regionOf(op, stack);
  if (region === undefined) return null;
  const { offset } = region;
  const size = op >= CREATE ? least(region.size, writtenBy(inner)) : region.size;
  if (size === 0n) return null;
  return { data: toHex(dataAt(memory, offset, size)), off: Number(offset) };
}

/**
 * Same in Besu's form: not for EXTCODECOPY, and for CALL and DELEGATECALL without output the later return data of the
 * frame, which is mostly the current content of the output region.
 */
function besuMemoryOf(
  step: TraceStep,
  next: TraceStep,
  inner: EndedFrame | undefined,
): object | null {
  if (step.op === EXTCODECOPY) return null;
  const shown = memoryOf(step, next, inner);
  const region = regionOf(step.op, step.stack);
  const isOpen = SHOWN_EMPTY.includes(step.op) && inner !== undefined && canWrite(inner);
  if (shown !== null || region === undefined || !isOpen) return shown;
  const { offset, size } = region;
  return { data: toHex(dataAt(next.memory, offset, size)), off: Number(offset) };
}

function canWrite({ end, hasCode, frame }: EndedFrame): boolean {
  return end.outcome !== "halted" && (hasCode || frame.isPrecompile);
}

/** Number of bytes that a frame returned. */
function writtenBy(inner: EndedFrame | undefined): bigint {
  if (inner === undefined || inner.end.outcome === "halted") return 0n;
  return BigInt(inner.end.output.length);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function storeOf({ op, stack }: TraceStep): object | null {
  if (op !== SSTORE) return null;
  return { key: toQuantity(stack.at(-1) ?? 0n), val: toQuantity(stack.at(-2) ?? 0n) };
}
