import type { TraceFrame, TraceStep } from "@plinth/core/evm";
import { opcodeName } from "@plinth/kit-trace";
import { haltCost } from "./besu-halt-cost.js";
import { memoryWords } from "./memory.js";
import type { FinishedStep, StepContext, StepFormat, StepOptions } from "./step-format.js";

/**
 * Struct logs in the format of Besu 24.9: digits without prefix, memory and storage after the step.
 */
export class BesuFormat implements StepFormat {
  readonly showsEmptyCode = true;
  readonly countsStipend = true;
  readonly #options: StepOptions;

  constructor(options: StepOptions) {
    this.#options = options;
  }

  write({ step, memory, cost, halt, reason }: FinishedStep, { written }: StepContext): string {
    const { hasStack, hasMemory, hasStorage } = this.#options;
    return JSON.stringify({
      pc: step.pc,
      op: opcodeName(step.op, this.#options),
      gas: Number(step.gas),
      gasCost: Number(cost),
      depth: step.depth,
      stack: hasStack ? step.stack.map(digits) : null,
      memory: hasMemory ? memoryWords(memory) : null,
      storage: hasStorage ? Object.fromEntries(written) : null,
      reason: reason === undefined ? null : shortHex(reason),
      ...(halt === undefined ? {} : { error: [halt] }),
    });
  }

  haltCost(step: TraceStep, halt: string): bigint {
    return haltCost(step, halt);
  }

  writePrecompile({ gas, depth }: TraceFrame): string {
    const nothing = { stack: null, memory: null, storage: null, reason: null };
    return JSON.stringify({ pc: 0, op: "", gas: Number(gas), gasCost: 0, depth, ...nothing });
  }
}

function digits(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

/** Without leading zeros. */
function shortHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString("hex").replace(/^0+/, "")}`;
}
