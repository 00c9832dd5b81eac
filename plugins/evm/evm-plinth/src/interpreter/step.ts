import type { Address } from "@plinth/core";
import type { Tracer, TraceStep } from "@plinth/core/evm";
import type { Frame } from "./frame.js";

/** No instruction reaches deeper than SWAP16. */
const MAX_OPERANDS = 17;

/** The parts of a step that a frame does not have. */
export interface AboutStep extends Pick<TraceStep, "pc" | "op" | "cost" | "refund"> {
  readonly isImplicit: boolean;
}

/** A step that may be kept: it has copies of the stack and the memory. */
export function lastingStep(frame: Frame, { isImplicit, ...about }: AboutStep): TraceStep {
  return {
    ...about,
    depth: frame.depth,
    gas: frame.gasLeft,
    stack: stackOf(frame),
    memory: frame.memory.bytes.slice(0, frame.memory.size),
    address: frame.address,
    ...(isImplicit ? { isImplicit } : {}),
  };
}

/** Reports a step to a tracer that reads at once. */
export function reportBriefly(
  tracer: Tracer,
  frame: Frame,
  about: AboutStep,
): void | Promise<void> {
  const step = new BriefStep(frame, about);
  const pending = tracer.step?.(step);
  step.end();
  return pending;
}

/**
 * A step whose stack and memory cost nothing until they are read, and can be read only during its
 * report.
 */
class BriefStep implements TraceStep {
  readonly depth: number;
  readonly pc: number;
  readonly op: number;
  readonly gas: bigint;
  readonly cost: bigint;
  readonly address: Address;
  readonly refund: bigint;
  readonly isImplicit: boolean;
  #frame: Frame | undefined;
  #stack: readonly bigint[] | undefined;

  constructor(frame: Frame, { pc, op, cost, refund, isImplicit }: AboutStep) {
    this.depth = frame.depth;
    this.pc = pc;
    this.op = op;
    this.gas = frame.gasLeft;
    this.cost = cost;
    this.address = frame.address;
    this.refund = refund;
    this.isImplicit = isImplicit;
    this.#frame = frame;
  }

  get stack(): readonly bigint[] {
    this.#stack ??= operandsOf(this.#running());
    return this.#stack;
  }

  get memory(): Uint8Array {
    const { memory } = this.#running();
    return memory.bytes.subarray(0, memory.size);
  }

  end(): void {
    this.#frame = undefined;
  }

  #running(): Frame {
    if (this.#frame === undefined) throw new Error("a tracer that reads at once read a step late");
    return this.#frame;
  }
}

function operandsOf({ stack, sp }: Frame): readonly bigint[] {
  return stack.slice(Math.max(0, sp - MAX_OPERANDS), sp).map(BigInt);
}

function stackOf({ stack, sp }: Frame): readonly bigint[] {
  return stack.slice(0, sp).map(BigInt);
}
