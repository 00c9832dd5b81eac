import type { Address } from "../primitives/hex.js";
import type { EvmOutcome } from "./outcome.js";

/** How a frame came about. */
export type FrameKind = "call" | "callcode" | "delegatecall" | "staticcall" | "create" | "create2";

/** A frame that begins: a call or the creation of a contract. */
export interface TraceFrame {
  readonly kind: FrameKind;
  /** The first frame of a transaction has 1. */
  readonly depth: number;
  readonly from: Address;
  /** Whose storage is used; for a contract being created, its address is reported at the end. */
  readonly to: Address | undefined;
  /** Whose code is run; none of a contract that is being created. */
  readonly codeAddress: Address | undefined;
  /** What it is called with, or the code that creates the contract. */
  readonly input: Uint8Array;
  /** What the code sees as sent with it. */
  readonly value: bigint;
  /** With the stipend of a call that sends value. */
  readonly gas: bigint;
  readonly isPrecompile: boolean;
}

/** How a frame ended. */
export interface TraceFrameEnd {
  readonly depth: number;
  readonly outcome: EvmOutcome;
  /** Why it was broken off. */
  readonly halt?: string;
  /** Of a creation with what its code costs. */
  readonly gasUsed: bigint;
  /** What it returned, the reason it reverted with, or the code that it created. */
  readonly output: Uint8Array;
  readonly createdAddress?: Address;
}

/** An instruction that is about to run. */
export interface TraceStep {
  readonly depth: number;
  readonly pc: number;
  /** The byte of the instruction. */
  readonly op: number;
  /** What is left before it runs. */
  readonly gas: bigint;
  /** What it costs by itself, without what it hands to another frame. */
  readonly cost: bigint;
  /** The bottom first. */
  readonly stack: readonly bigint[];
  readonly memory: Uint8Array;
  /** Whose storage is used. */
  readonly address: Address;
  /** What has been earned by clearing storage so far. */
  readonly refund: bigint;
  /** Not in the code: the end of it was reached, which is a STOP. */
  readonly isImplicit?: boolean;
}

/**
 * Hears how code runs, instruction by instruction and frame by frame.
 *
 * What it is handed must not be changed and may be kept, unless it reads at once. A promise is waited for, so that
 * a tracer can let others have the thread.
 */
export interface Tracer {
  /**
   * It reads the stack and the memory of a step only while it hears of the step, keeps neither, and reads no items
   * of the stack but the operands of the instruction. An EVM need not copy the memory then, nor what is below them.
   */
  readonly readsAtOnce?: boolean;
  enter?(frame: TraceFrame): void;
  step?(step: TraceStep): void | Promise<void>;
  exit?(end: TraceFrameEnd): void;
}
