import {
  type Address,
  type Compatibility,
  type StateReader,
  toHex,
  toQuantity,
} from "@plinth/core";
import type { TraceFrame, TraceFrameEnd, Tracer, TraceStep } from "@plinth/core/evm";
import type { CallAction, CreateAction, FlatTrace, SuicideAction } from "./flat-trace.js";
import { haltDescription } from "./halt-description.js";
import { addressIn } from "./stack-words.js";
import { TraceBudget } from "./trace-budget.js";

const SELFDESTRUCT = 0xff;
const CREATE2 = 0xf5;
/** The code deposit cost per byte. */
const DEPOSIT_GAS = 200n;

/** How traces are formatted where clients differ. */
export interface FlatTraceOptions {
  readonly state: StateReader;
  readonly compatibility: Compatibility;
  /** Whether creations contain the instruction that caused them. */
  readonly namesCreationMethod: boolean;
}

/** A frame and those inside it; some of its fields are known only at its end. */
interface Node {
  readonly frame: TraceFrame;
  readonly children: (Node | Suicide)[];
  /** The address of a contract being created is known from its first step on. */
  address: Address | undefined;
  last: LastStep | undefined;
  /** The effect of its last step, if it destroys the contract. */
  suicide: SuicideAction | undefined;
  end: TraceFrameEnd | undefined;
}

/** Not the whole step, which retains a memory. */
type LastStep = Pick<TraceStep, "op" | "gas" | "cost">;

interface Suicide {
  readonly action: SuicideAction;
}

/** The frames of a transaction in one list, each before those inside it. */
export class FlatTracer implements Tracer {
  readonly readsAtOnce = true;
  readonly #options: FlatTraceOptions;
  readonly #budget = new TraceBudget();
  readonly #open: Node[] = [];
  #top: Node | undefined;
  /**
   * Besu names every creation of a transaction after one CREATE2, and omits the creator inside a
   * creation.
   */
  readonly #isBlurred: boolean;
  /** Besu reports a creation that failed because its address was taken. */
  readonly #showsCollisions: boolean;
  #hasCreate2 = false;

  constructor(options: FlatTraceOptions) {
    this.#options = options;
    const isBesu = options.compatibility.mode === "besu";
    this.#isBlurred = isBesu;
    this.#showsCollisions = isBesu;
  }

  enter(frame: TraceFrame): void {
    if (isReported(frame)) this.#budget.keepFrame(frame.input);
    const node: Node = {
      frame,
      children: [],
      address: frame.to,
      last: undefined,
      suicide: undefined,
      end: undefined,
    };
    if (isReported(frame)) this.#open.at(-1)?.children.push(node);
    this.#top ??= node;
    this.#open.push(node);
  }

  step(step: TraceStep): undefined {
    const node = this.#open.at(-1);
    if (node === undefined) return;
    node.address ??= step.address;
    const { op, gas, cost } = step;
    node.last = { op, gas, cost };
    if (op === CREATE2) this.#hasCreate2 = true;
    if (op === SELFDESTRUCT) node.suicide = this.#suicideOf(step);
  }

  exit(end: TraceFrameEnd): void {
    const node = this.#open.pop();
    if (node === undefined) return;
    node.end = end;
    if (isReported(node.frame)) this.#budget.keep(end.output.length);
    if (end.outcome === "success" && node.suicide !== undefined) {
      node.children.push({ action: node.suicide });
    }
    const isShown = this.#showsCollisions || hasBegun(node);
    if (!isShown) this.#forget(node);
  }

  /** The traces of the run that has ended. */
  traces(): readonly FlatTrace[] {
    const traces: FlatTrace[] = [];
    if (this.#top !== undefined) this.#report(this.#top, [], traces);
    return traces;
  }

  /** A creation that could not start leaves no trace. */
  #forget(node: Node): void {
    this.#open.at(-1)?.children.pop();
    if (this.#top === node) this.#top = undefined;
  }

  #report(node: Node | Suicide, traceAddress: readonly number[], into: FlatTrace[]): void {
    if (!("frame" in node)) {
      const { action } = node;
      into.push({ action, result: null, subtraces: 0, traceAddress, type: "suicide" });
      return;
    }
    into.push({
      ...this.#describe(node),
      subtraces: node.children.length,
      traceAddress,
      type: isCreation(node) ? "create" : "call",
    });
    for (const [index, child] of node.children.entries()) {
      this.#report(child, [...traceAddress, index], into);
    }
  }

  #suicideOf({ address, stack }: TraceStep): SuicideAction {
    const balance = this.#options.state.findAccount(address)?.balance ?? 0n;
    return { address, balance: toQuantity(balance), refundAddress: addressIn(stack.at(-1)) };
  }

  #describe(node: Node): Pick<FlatTrace, "action" | "result" | "error" | "revertReason"> {
    const action = isCreation(node) ? this.#creationOf(node) : callOf(node);
    const { end } = node;
    if (end === undefined || end.outcome === "success") return { action, result: resultOf(node) };
    if (end.outcome === "halted") return { action, error: haltDescription(end.halt) };
    const isTop = node === this.#top;
    return {
      action,
      error: "Reverted",
      ...(isTop ? { revertReason: toHex(end.output) } : {}),
    };
  }

  #creationOf({ frame }: Node): CreateAction {
    const { kind, gas, input, value } = frame;
    const isCreate2 = kind === "create2" || (this.#isBlurred && this.#hasCreate2);
    return {
      ...(this.#options.namesCreationMethod
        ? { creationMethod: isCreate2 ? "create2" : "create" }
        : {}),
      from: this.#creatorOf(frame),
      gas: toQuantity(gas),
      init: toHex(input),
      value: toQuantity(value),
    };
  }

  #creatorOf({ from, depth }: TraceFrame): Address {
    const top = this.#top;
    if (!this.#isBlurred || depth === 1 || top === undefined || !isCreation(top)) return from;
    return top.address ?? from;
  }
}

/** A call to a precompile is reported only if it is the transaction's own. */
function isReported({ isPrecompile, depth }: TraceFrame): boolean {
  return !isPrecompile || depth === 1;
}

function isCreation({ frame }: Node): boolean {
  return frame.to === undefined;
}

/** The init code of a contract has at least one step, unless it is empty or was never run. */
function hasBegun(node: Node): boolean {
  return !isCreation(node) || node.last !== undefined || node.end?.outcome !== "halted";
}

function callOf({ frame }: Node): CallAction {
  const { kind, from, to, codeAddress, gas, input, value } = frame;
  const isDelegate = kind === "delegatecall";
  return {
    callType: kind as CallAction["callType"],
    from: isDelegate ? (to ?? from) : from,
    gas: toQuantity(gas),
    input: toHex(input),
    to: codeAddress ?? to ?? from,
    value: toQuantity(value),
  };
}

function resultOf(node: Node): object {
  const { end } = node;
  const output = toHex(end?.output ?? new Uint8Array());
  const gasUsed = toQuantity(gasUsedBy(node));
  return isCreation(node)
    ? { address: end?.createdAddress, code: output, gasUsed }
    : { gasUsed, output };
}

/**
 * Inside a transaction the cost of the last step is not counted, unless it destroys the contract.
 */
function gasUsedBy({ frame, last, end }: Node): bigint {
  if (frame.depth === 1) return end?.gasUsed ?? 0n;
  if (last === undefined) return 0n;
  const ending = last.op === SELFDESTRUCT ? last.cost : 0n;
  const deposit = frame.to === undefined ? DEPOSIT_GAS * BigInt(end?.output.length ?? 0) : 0n;
  return frame.gas - last.gas + ending + deposit;
}
