import type { Address } from "@plinth/core";
import type { TraceFrame, TraceStep } from "@plinth/core/evm";

/** A step with what is known after it. */
export interface FinishedStep {
  readonly step: TraceStep;
  readonly memory: Uint8Array;
  /** Including the gas passed to another frame. */
  readonly cost: bigint;
  /** The top of the stack after it, if the frame continues. */
  readonly top?: bigint | undefined;
  /** Why the frame was aborted here. */
  readonly halt?: string;
  /** The revert data, if the frame reverted here. */
  readonly reason?: Uint8Array;
}

/** Details of a step's frame that a format may need. */
export interface StepContext {
  /** Written slots with their values, in order; 64 digits each. */
  readonly written: readonly (readonly [slot: string, value: string])[];
  /** Return data of the last inner frame. */
  readonly returnData: Uint8Array;
}

/** Which parts of a step are recorded. */
export interface StepOptions {
  readonly hasStack: boolean;
  readonly hasMemory: boolean;
  readonly hasStorage: boolean;
  readonly hasReturnData: boolean;
  /** Whether the chain is past proof of work, or never had it. */
  readonly isMerged: boolean;
}

/** A format for steps; one instance per transaction. */
export interface StepFormat {
  /** Whether frames without code get a step, too. */
  readonly showsEmptyCode: boolean;
  /** Whether the gas of a call includes the stipend, which the caller does not pay. */
  readonly countsStipend: boolean;
  /** The cost of the step that aborted its frame. */
  haltCost(step: TraceStep, halt: string): bigint;
  write(finished: FinishedStep, context: StepContext): string;
  writePrecompile(frame: TraceFrame): string;
}

/** The slots of a contract. */
export type SlotsByContract = Map<Address, Map<string, string>>;
