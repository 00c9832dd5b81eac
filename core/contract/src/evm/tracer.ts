import type { Address } from "../primitives/hex.js";
import type { EvmOutcome } from "./outcome.js";

/** How a frame was entered. */
export type FrameKind = "call" | "callcode" | "delegatecall" | "staticcall" | "create" | "create2";

/** The start of a frame: a call or a contract creation. */
export interface TraceFrame {
  readonly kind: FrameKind;
  /** The first frame of a transaction has depth 1. */
  readonly depth: number;
  readonly from: Address;
  /**
   * The account whose storage is used; for a contract creation, the address is reported at the end.
   */
  readonly to: Address | undefined;
  /** The account whose code runs; `undefined` for a contract creation. */
  readonly codeAddress: Address | undefined;
  /** The calldata, or the init code of a creation. */
  readonly input: Uint8Array;
  /** The value visible to the code. */
  readonly value: bigint;
  /** Includes the stipend of a call with value. */
  readonly gas: bigint;
  readonly isPrecompile: boolean;
}

/** How a frame ended. */
export interface TraceFrameEnd {
  readonly depth: number;
  readonly outcome: EvmOutcome;
  /** Why it was aborted. */
  readonly halt?: string;
  /** For a creation, includes the code deposit. */
  readonly gasUsed: bigint;
  /** The returned data, the revert reason, or the created code. */
  readonly output: Uint8Array;
  readonly createdAddress?: Address;
}

/** An instruction about to run. */
export interface TraceStep {
  readonly depth: number;
  readonly pc: number;
  /** The opcode. */
  readonly op: number;
  /** Gas left before it runs. */
  readonly gas: bigint;
  /** Its own cost, without the gas forwarded to another frame. */
  readonly cost: bigint;
  /** Bottom first. */
  readonly stack: readonly bigint[];
  readonly memory: Uint8Array;
  /** The account whose storage is used. */
  readonly address: Address;
  /** Refund counter so far. */
  readonly refund: bigint;
  /** Implicit: the end of the code was reached, which acts as a STOP. */
  readonly isImplicit?: boolean;
}

/**
 * Receives the execution of code, instruction by instruction and frame by frame.
 *
 * Arguments must not be modified, and may be kept unless the tracer reads immediately. A promise is
 * awaited, so that a tracer can yield the thread.
 */
export interface Tracer {
  /**
   * It reads the stack and the memory of a step only during the call, keeps neither, and reads only
   * the operands of the instruction from the stack. An EVM then need not copy the memory or the
   * rest of the stack.
   */
  readonly readsAtOnce?: boolean;
  enter?(frame: TraceFrame): void;
  step?(step: TraceStep): void | Promise<void>;
  exit?(end: TraceFrameEnd): void;
}
