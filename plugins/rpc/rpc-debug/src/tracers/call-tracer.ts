import { type Address, type StateReader, toHex, toQuantity } from "@plinth/core";
import type { EvmResult, TraceFrame, TraceFrameEnd, Tracer, TraceStep } from "@plinth/core/evm";
import { findRevertReason } from "@plinth/kit-rpc";
import { addressIn, canReach, dataAt, TraceBudget } from "@plinth/kit-trace";
import { failureText } from "./failure-text.js";
import type { NamedTracer, TracedRun } from "./named-tracer.js";

const LOG_0 = 0xa0;
const LOG_4 = 0xa4;
const SELFDESTRUCT = 0xff;
/** Approximate size of a log without its data: its address, and the maximum number of topics. */
const LOG_BYTES = 160;
const NOTHING = "0x";
const ILLEGAL = "ILLEGAL_STATE_CHANGE";
const ZERO = "0x0";

/** Options of the tracer. */
export interface CallTracerConfig {
  readonly onlyTopCall: boolean;
  readonly withLog: boolean;
}

/** A frame in the response; fields that do not apply are omitted. */
interface CallFrame {
  readonly from: Address;
  gas: string;
  gasUsed: string;
  to?: Address;
  readonly input: string;
  output?: string;
  error?: string;
  revertReason?: string;
  calls?: CallFrame[];
  logs?: object[];
  value?: string;
  type: string;
}

/** A frame in progress. */
interface OpenFrame {
  readonly frame: CallFrame;
  /** Its last instruction. */
  op: number | undefined;
}

/** The calls of a transaction, nested. */
export class CallTracer implements NamedTracer {
  readonly #config: CallTracerConfig;
  readonly #state: StateReader;
  readonly #gasLimit: bigint;
  readonly #open: OpenFrame[] = [];
  readonly #budget = new TraceBudget();
  #top: CallFrame | undefined;
  #logs = 0;

  constructor(config: CallTracerConfig, { state, gasLimit }: TracedRun) {
    this.#config = config;
    this.#state = state;
    this.#gasLimit = gasLimit;
  }

  readonly tracer: Tracer = {
    readsAtOnce: true,
    enter: (frame) => this.#enter(frame),
    step: (step) => this.#step(step),
    exit: (end) => this.#exit(end),
  };

  traceOf({ gasUsed }: EvmResult): unknown {
    if (this.#top === undefined) return {};
    this.#top.gas = toQuantity(this.#gasLimit);
    this.#top.gasUsed = toQuantity(gasUsed);
    return ordered(this.#top);
  }

  #enter(entered: TraceFrame): void {
    const { kind, from, to, codeAddress, input, value, gas } = entered;
    if (this.#isKept(entered)) this.#budget.keepFrame(input);
    const frame: CallFrame = {
      from,
      gas: toQuantity(gas),
      gasUsed: ZERO,
      input: toHex(input),
      type: kind.toUpperCase(),
      ...(kind === "staticcall" ? {} : { value: toQuantity(value) }),
    };
    // For DELEGATECALL and CALLCODE, `to` is the account whose code runs.
    const target = codeAddress ?? to;
    if (target !== undefined) frame.to = target;
    if (kind === "delegatecall" && to !== undefined) Object.assign(frame, { from: to });
    this.#top ??= frame;
    this.#add(frame);
    this.#open.push({ frame, op: undefined });
  }

  #step(step: TraceStep): void {
    const open = this.#open.at(-1);
    if (open === undefined) return;
    open.op = step.op;
    if (step.op === SELFDESTRUCT) this.#selfDestruct(step);
    if (step.op >= LOG_0 && step.op <= LOG_4 && this.#config.withLog) this.#log(open.frame, step);
  }

  #exit(end: TraceFrameEnd): void {
    const open = this.#open.pop();
    if (open === undefined) return;
    const { frame, op } = open;
    if (this.#isKept(end)) this.#budget.keep(end.output.length);
    frame.gasUsed = toQuantity(end.gasUsed);
    if (end.createdAddress !== undefined) frame.to = end.createdAddress;
    const isReverted = end.outcome === "reverted";
    if (end.output.length > 0 && end.outcome !== "halted") frame.output = toHex(end.output);
    if (end.outcome === "success") return;
    frame.error = isReverted ? "execution reverted" : this.#failureOf(frame, end.halt, op);
    delete frame.logs;
    if (frame.type.startsWith("CREATE")) delete frame.to;
    const reason = isReverted ? findRevertReason(toHex(end.output)) : undefined;
    if (reason !== undefined) frame.revertReason = reason;
  }

  /** A creation that ended before it began collided with an existing contract. */
  #failureOf({ type }: CallFrame, halt = "", op: number | undefined): string {
    const isCollision = type.startsWith("CREATE") && halt === ILLEGAL && op === undefined;
    return isCollision ? "contract address collision" : failureText(halt, op);
  }

  #isKept({ depth }: { readonly depth: number }): boolean {
    return depth === 1 || !this.#config.onlyTopCall;
  }

  #add(frame: CallFrame): void {
    const outer = this.#open.at(-1)?.frame;
    if (outer === undefined || this.#config.onlyTopCall) return;
    outer.calls ??= [];
    outer.calls.push(frame);
  }

  #selfDestruct({ address, stack }: TraceStep): void {
    this.#add({
      from: address,
      gas: ZERO,
      gasUsed: ZERO,
      to: addressIn(stack.at(-1)),
      input: NOTHING,
      value: toQuantity(this.#state.findAccount(address)?.balance ?? 0n),
      type: "SELFDESTRUCT",
    });
  }

  #log(frame: CallFrame, step: TraceStep): void {
    const { op, stack, memory, address } = step;
    const [size, offset] = stack.slice(-2);
    // Out of gas: the frame ends here, without its logs.
    if (!canReach(step, offset, size)) return;
    const topics = Array.from({ length: op - LOG_0 }, (_, index) => stack.at(-3 - index) ?? 0n);
    this.#budget.keep(LOG_BYTES + Number(size ?? 0n));
    frame.logs ??= [];
    frame.logs.push({
      address,
      topics: topics.map((topic) => `0x${topic.toString(16).padStart(64, "0")}`),
      data: toHex(dataAt(memory, offset, size)),
      index: toQuantity(BigInt(this.#logs)),
      position: toQuantity(BigInt(frame.calls?.length ?? 0)),
    });
    this.#logs += 1;
  }
}

/** The fields in the usual order. */
function ordered(frame: CallFrame): object {
  const { from, gas, gasUsed, to, input, output, error, revertReason, calls, logs, value, type } =
    frame;
  return {
    from,
    gas,
    gasUsed,
    ...(to === undefined ? {} : { to }),
    input,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
    ...(revertReason === undefined ? {} : { revertReason }),
    ...(calls === undefined ? {} : { calls: calls.map(ordered) }),
    ...(logs === undefined ? {} : { logs }),
    ...(value === undefined ? {} : { value }),
    type,
  };
}
