import type { Step } from "./step.js";

/** A call within a transaction. */
export interface Frame {
  /** How it was called: `CALL`, `CREATE`. */
  readonly kind: string;
  /** Whose code runs; of a creation `undefined` until it is complete. */
  code: string | undefined;
  /** Whose storage changes. */
  storage: string | undefined;
  readonly parent: Frame | undefined;
  /** The step that made the call; -1 for the transaction itself. */
  readonly caller: number;
}

/** A word that was written to storage. */
export interface Write {
  readonly step: number;
  readonly frame: Frame;
  readonly slot: string;
  readonly value: string;
}

const CALLS = new Set(["CALL", "CALLCODE", "DELEGATECALL", "STATICCALL"]);
const CREATIONS = new Set(["CREATE", "CREATE2"]);

/** The frame of each step, and what was written to storage. */
export function followFrames(
  steps: readonly Step[],
  to: string,
): { readonly frames: readonly Frame[]; readonly writes: readonly Write[] } {
  let current: Frame = { kind: "CALL", code: to, storage: to, parent: undefined, caller: -1 };
  const frames: Frame[] = [];
  const writes: Write[] = [];
  steps.forEach((step, index) => {
    const previous = steps[index - 1];
    if (previous !== undefined && step.depth > previous.depth) {
      current = enter(current, previous, index - 1);
    }
    for (let left = (previous?.depth ?? 1) - step.depth; left > 0; left--) {
      current = leave(current, step);
    }
    frames.push(current);
    if (step.op === "SSTORE") {
      const [value = "", slot = ""] = step.stack.slice(-2);
      writes.push({ step: index, frame: current, slot, value });
    }
  });
  return { frames, writes };
}

function enter(parent: Frame, { op, stack }: Step, caller: number): Frame {
  const isCreation = CREATIONS.has(op);
  const target = CALLS.has(op) ? addressIn(stack.at(-2)) : undefined;
  const isOwnStorage = op === "DELEGATECALL" || op === "CALLCODE";
  return {
    kind: op,
    code: isCreation ? undefined : target,
    storage: isCreation ? undefined : isOwnStorage ? parent.storage : target,
    parent,
    caller,
  };
}

/** A creation leaves the address of the contract on the stack of its caller. */
function leave(frame: Frame, { stack }: Step): Frame {
  if (CREATIONS.has(frame.kind)) {
    const created = addressIn(stack.at(-1));
    frame.storage = created;
  }
  return frame.parent ?? frame;
}

function addressIn(word: string | undefined): string | undefined {
  return word === undefined ? undefined : `0x${word.slice(24)}`;
}
