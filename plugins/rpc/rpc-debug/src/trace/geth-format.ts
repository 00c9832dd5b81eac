import { toHex } from "@plinth/core";
import type { TraceStep } from "@plinth/core/evm";
import { haltText } from "@plinth/kit-rpc";
import { opcodeName } from "@plinth/kit-trace";
import { memoryWords } from "./memory.js";
import type {
  FinishedStep,
  SlotsByContract,
  StepContext,
  StepFormat,
  StepOptions,
} from "./step-format.js";

const OUT_OF_GAS = "INSUFFICIENT_GAS";
const SLOAD = 0x54;
const SSTORE = 0x55;

/** Struct logs in geth's format: memory before the step, and the storage accessed so far. */
export class GethFormat implements StepFormat {
  readonly showsEmptyCode = false;
  readonly countsStipend = false;
  readonly #options: StepOptions;
  readonly #slots: SlotsByContract = new Map();

  constructor(options: StepOptions) {
    this.#options = options;
  }

  write(finished: FinishedStep, { returnData }: StepContext): string {
    const { step, cost, halt } = finished;
    const { hasStack, hasMemory, hasReturnData } = this.#options;
    const slots = this.#look(finished);
    return JSON.stringify({
      pc: step.pc,
      op: opcodeName(step.op, this.#options),
      gas: Number(step.gas),
      gasCost: Number(cost),
      depth: step.depth,
      ...(halt === undefined ? {} : { error: haltText(halt) }),
      ...(hasStack ? { stack: step.stack.map((item) => `0x${item.toString(16)}`) } : {}),
      ...(hasReturnData ? { returnData: toHex(returnData) } : {}),
      ...(hasMemory ? { memory: memoryWords(step.memory).map((word) => `0x${word}`) } : {}),
      ...(slots === undefined ? {} : { storage: Object.fromEntries(slots) }),
      ...(step.refund === 0n ? {} : { refund: Number(step.refund) }),
    });
  }

  haltCost({ cost }: TraceStep, halt: string): bigint {
    return halt === OUT_OF_GAS ? cost : 0n;
  }

  writePrecompile(): string {
    return "";
  }

  /** The slots of a contract that were accessed so far; shown only for steps that access one. */
  #look({ step, top }: FinishedStep): ReadonlyMap<string, string> | undefined {
    const isSlot = step.op === SLOAD || step.op === SSTORE;
    if (!isSlot || !this.#options.hasStorage) return undefined;
    let slots = this.#slots.get(step.address);
    if (slots === undefined) {
      slots = new Map();
      this.#slots.set(step.address, slots);
    }
    const value = step.op === SLOAD ? top : step.stack.at(-2);
    if (value !== undefined) slots.set(word(step.stack.at(-1) ?? 0n), word(value));
    return slots;
  }
}

function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
