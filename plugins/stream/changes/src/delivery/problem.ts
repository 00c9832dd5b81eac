import { DecodeError, LimitExceeded, RpcError } from "@plinth/core";
import { BlockPruned, StatePruned } from "@plinth/core/chain";
import { type CursorProblem, CursorRefused } from "../records/cursor.js";

/** The code of the specification for what a node has removed. */
const PRUNED = 4444;
const INVALID = -32602;

const OF_CURSOR: Readonly<
  Record<CursorProblem, { readonly status: number; readonly code: number }>
> = {
  pruned: { status: 410, code: PRUNED },
  beyond: { status: 416, code: INVALID },
  "other-stream": { status: 409, code: INVALID },
};

/** Why a reader gets no record, with the codes of JSON-RPC and HTTP. */
export class Problem extends Error {
  readonly status: number;
  readonly code: number;
  /** When a throttled reader may retry. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    on: { readonly status: number; readonly code: number; readonly retryAfterMs?: number },
  ) {
    super(message);
    this.status = on.status;
    this.code = on.code;
    this.retryAfterMs = on.retryAfterMs;
  }

  /** As readers receive it. */
  toJson(): object {
    return { code: this.code, message: this.message };
  }
}

/** The problem of an error that readers can expect; others are returned as they are. */
export function toProblem(error: unknown, sequence?: bigint): unknown {
  if (error instanceof CursorRefused) return new Problem(error.message, OF_CURSOR[error.problem]);
  if (error instanceof BlockPruned || error instanceof StatePruned) {
    return new Problem(`record ${sequence}: ${error.message}`, OF_CURSOR.pruned);
  }
  if (error instanceof DecodeError)
    return new Problem(error.message, { status: 400, code: INVALID });
  if (error instanceof LimitExceeded) {
    const { rpcCode: code, retryAfterMs } = error;
    return new Problem(error.message, { status: 429, code, retryAfterMs });
  }
  if (error instanceof RpcError) {
    return new Problem(error.message, { status: 401, code: error.rpcCode });
  }
  return error;
}
