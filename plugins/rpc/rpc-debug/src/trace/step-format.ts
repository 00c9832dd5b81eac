import type { Address } from "@plinth/core";
import type { TraceFrame, TraceStep } from "@plinth/core/evm";

/** A step with what is known after it. */
export interface FinishedStep {
  readonly step: TraceStep;
  readonly memory: Uint8Array;
  /** With what was handed to another frame. */
  readonly cost: bigint;
  /** The top of the stack after it, where the frame goes on. */
  readonly top?: bigint | undefined;
  /** Why the frame was broken off here. */
  readonly halt?: string;
  /** What the frame reverted with here. */
  readonly reason?: Uint8Array;
}

/** What a format may ask about the frame of a step. */
export interface StepSurroundings {
  /** Slots that were written, with their values, in order; 64 digits each. */
  readonly written: readonly (readonly [slot: string, value: string])[];
  /** What the frame that ended last inside of this one returned. */
  readonly returnData: Uint8Array;
}

/** What of a step is written down. */
export interface StepOptions {
  readonly hasStack: boolean;
  readonly hasMemory: boolean;
  readonly hasStorage: boolean;
  readonly hasReturnData: boolean;
  /** Whether the chain has left proof of work behind, or never had it. */
  readonly isMerged: boolean;
}

/** How steps are written down; one is made for every transaction. */
export interface StepFormat {
  /** Whether frames without code have a step all the same. */
  readonly showsEmptyCode: boolean;
  /** Whether the gas of a call counts the stipend, which it does not pay. */
  readonly countsStipend: boolean;
  /** What the step costs that broke off its frame. */
  haltCost(step: TraceStep, halt: string): bigint;
  write(finished: FinishedStep, surroundings: StepSurroundings): string;
  writePrecompile(frame: TraceFrame): string;
}

/** Slots of a contract. */
export type SlotsByContract = Map<Address, Map<string, string>>;
