import { decodeHeader, encodeHeader, type Header, type SealedHeader } from "../blocks/header.js";
import type { Transaction } from "../blocks/transaction.js";
import type { HookFactory } from "../kernel/hooks.js";

/** Keep the transaction for another block, remove it from the pool, or stop filling this block. */
export type BuildVerdict = "skip" | "drop" | "stop";

/** A transaction about to be tried in a block. */
export interface CandidateEvent {
  readonly candidate: Transaction;
  readonly draft: Header;
}

/** Hooks of block building. */
export function createBuildHooks(hook: HookFactory) {
  return {
    header: hook.refine<Header, { readonly parent: SealedHeader }>(
      "build.header",
      {
        since: "0.1.0",
        summary:
          "The engine has prepared the header of a block being built: return a modified one.",
      },
      { isRight: isHeader, text: "a header" },
    ),
    transaction: hook.decide<CandidateEvent, BuildVerdict>(
      "build.transaction",
      {
        since: "0.1.0",
        summary:
          "A transaction is about to be tried in a block: return `skip`, `drop` or `stop` to exclude it.",
      },
      { isRight: isVerdict, text: '"skip", "drop" or "stop"' },
    ),
  };
}

function isVerdict(answer: unknown): boolean {
  return answer === "skip" || answer === "drop" || answer === "stop";
}

/** Whether it encodes and decodes, which the block requires. */
function isHeader(answer: unknown): boolean {
  try {
    decodeHeader(encodeHeader(answer as Header));
    return true;
  } catch {
    return false;
  }
}

/** Hooks of block building, as held by their owner. */
export type BuildHooks = ReturnType<typeof createBuildHooks>;
