import { toNumber } from "../format.js";
import { call } from "../rpc.js";
import { type Frame, followFrames, type Write } from "./frames.js";
import type { Step } from "./step.js";

/** Steps beyond this are not loaded: a response of them would be too large for a page. */
const MAX_STEPS = 50_000;
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

/** What is recorded. */
export interface Recorded {
  readonly hash: string;
  /** Its recipient, or the contract that it creates. */
  readonly to: string;
  /** Whether the hash is that of the marker of a private transaction. */
  readonly isPrivate: boolean;
}

/** Executes a transaction again, and records its steps. */
export async function record({ hash, to, isPrivate }: Recorded): Promise<Recording> {
  const trace = isPrivate ? tracePrivate : tracePublic;
  const { structLogs: raw, isCut = raw.length === MAX_STEPS } = await trace(hash, false);
  const isShort = raw.length <= MAX_STEPS_WITH_MEMORY;
  const memory = isShort
    ? (await trace(hash, true)).structLogs.map((step) => step.memory ?? [])
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
    isCut,
  };
}

interface RawTrace {
  readonly structLogs: readonly RawStep[];
  readonly isCut?: boolean;
}

function tracePublic(hash: string, hasMemory: boolean): Promise<RawTrace> {
  const memory = { disableMemory: !hasMemory, enableMemory: hasMemory };
  return call("debug_traceTransaction", [
    hash,
    { disableStorage: true, ...memory, limit: MAX_STEPS },
  ]);
}

async function tracePrivate(hash: string, enableMemory: boolean): Promise<RawTrace> {
  const options = { enableMemory, limit: enableMemory ? MAX_STEPS_WITH_MEMORY : MAX_STEPS };
  const trace = await call<RawTrace | null>("priv_debugTraceTransaction", [hash, options]);
  return trace ?? { structLogs: [] };
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
