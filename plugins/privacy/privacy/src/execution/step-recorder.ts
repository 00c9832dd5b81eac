import { toHex } from "@plinth/core";
import type { TraceFrameEnd, Tracer, TraceStep } from "@plinth/core/evm";
import { opcodeName } from "@plinth/kit-trace";

const WORD_BYTES = 32;
/** Text of all steps together: they are sent as one response. */
const MAX_CHARACTERS = 2 ** 25;

/** Which steps are recorded, and what of them. */
export interface StepsShown {
  readonly limit: number;
  readonly hasMemory: boolean;
}

/** A step as geth's struct logs have it, with the stack and the memory before it. */
export interface RecordedStep {
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  /** Without the gas that a call passes on. */
  readonly gasCost: number;
  readonly depth: number;
  readonly stack: readonly string[];
  readonly memory?: readonly string[];
  /** Why the frame was aborted by it. */
  error?: string;
}

/** Records the first steps of an execution, up to a number and a size. */
export class StepRecorder implements Tracer {
  readonly readsAtOnce = true;
  readonly steps: RecordedStep[] = [];
  isCut = false;
  readonly #shown: StepsShown;
  #characters = 0;
  /** The last step of each open frame. */
  readonly #last: (RecordedStep | undefined)[] = [];

  constructor(shown: StepsShown) {
    this.#shown = shown;
  }

  enter(): void {
    this.#last.push(undefined);
  }

  step({ pc, op, gas, cost, depth, stack, memory }: TraceStep): void {
    this.#last[this.#last.length - 1] = undefined;
    this.isCut ||= this.steps.length >= this.#shown.limit || this.#characters > MAX_CHARACTERS;
    if (this.isCut) return;
    const step: RecordedStep = {
      pc,
      op: opcodeName(op, { isMerged: true }),
      gas: Number(gas),
      gasCost: Number(cost),
      depth,
      stack: stack.map((item) => `0x${item.toString(16)}`),
      ...(this.#shown.hasMemory ? { memory: wordsOf(memory) } : {}),
    };
    for (const word of step.stack) this.#characters += word.length;
    this.#characters += 2 * (step.memory === undefined ? 0 : memory.length);
    this.steps.push(step);
    this.#last[this.#last.length - 1] = step;
  }

  exit({ halt }: TraceFrameEnd): void {
    const last = this.#last.pop();
    if (last !== undefined && halt !== undefined) last.error = halt;
  }
}

function wordsOf(memory: Uint8Array): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < memory.length; at += WORD_BYTES) {
    words.push(toHex(memory.subarray(at, at + WORD_BYTES)));
  }
  return words;
}
