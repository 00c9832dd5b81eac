import { toNumber } from "../format.js";
import { call } from "../rpc.js";
import { type Frame, followFrames, type Write } from "./frames.js";
import type { Step } from "./step.js";

/** Steps beyond this are not loaded: a response of them would be too large for a page. */
export const MAX_STEPS = 50_000;
/** With more steps than this, memory is not loaded. */
export const MAX_STEPS_WITH_MEMORY = 5000;

/** The execution of a transaction, step by step. */
export interface Recording {
  readonly steps: readonly Step[];
  /** The frame of each step. */
  readonly frames: readonly Frame[];
  readonly writes: readonly Write[];
  /** The memory before a step; `undefined` if memory was not loaded. */
  memoryAt(step: number): readonly string[] | undefined;
  readonly isCut: boolean;
}

interface RawStep {
  readonly pc: number;
  readonly op: string;
  readonly gas: number | string;
  readonly gasCost: number | string;
  readonly depth: number;
  readonly stack?: readonly string[] | null;
  readonly memory?: readonly string[] | null;
  readonly reason?: string | null;
  readonly error?: unknown;
}

/** Records a transaction again; `to` is its recipient, or the contract that it creates. */
export async function record(hash: string, to: string): Promise<Recording> {
  const options = { disableStorage: true, disableMemory: true, limit: MAX_STEPS };
  const raw = await trace(hash, options);
  const isShort = raw.length <= MAX_STEPS_WITH_MEMORY;
  const memory = isShort
    ? (await trace(hash, { disableStorage: true, disableMemory: false, enableMemory: true })).map(
        (step) => step.memory ?? [],
      )
    : undefined;
  const steps = raw.map(toStep);
  const { frames, writes } = followFrames(steps, to);
  // One of the formats has the memory after each step instead of before it.
  const isAfter = raw.some(({ stack }) => stack?.some((word) => !word.startsWith("0x")));
  return {
    ...{ steps, frames, writes },
    memoryAt: (step) => {
      if (memory === undefined) return undefined;
      return (isAfter ? memoryAfter(memory, { frames, step }) : memory[step])?.map(withoutPrefix);
    },
    isCut: raw.length === MAX_STEPS,
  };
}

async function trace(hash: string, options: object): Promise<readonly RawStep[]> {
  const { structLogs } = await call<{ readonly structLogs: readonly RawStep[] }>(
    "debug_traceTransaction",
    [hash, options],
  );
  return structLogs;
}

/** The memory after the previous step of the same frame. */
function memoryAfter(
  memory: readonly (readonly string[])[],
  { frames, step }: { readonly frames: readonly Frame[]; readonly step: number },
): readonly string[] {
  for (let previous = step - 1; previous >= 0; previous--) {
    if (frames[previous] === frames[step]) return memory[previous] ?? [];
  }
  return [];
}

function toStep({ pc, op, gas, gasCost, depth, stack, reason, error }: RawStep): Step {
  const problem = error ?? reason;
  return {
    ...{ pc, op, depth },
    gas: toNumber(gas),
    gasCost: toNumber(gasCost),
    stack: (stack ?? []).map((word) => withoutPrefix(word).padStart(64, "0")),
    error: problem === undefined || problem === null ? undefined : String(problem),
  };
}

function withoutPrefix(word: string): string {
  return word.replace(/^0x/, "");
}
