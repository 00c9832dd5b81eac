import { method, type QueryCall, t } from "@plinth/core";
import { findTransaction, transactionHash } from "@plinth/kit-trace";
import { REPLAY_RESULT } from "../examples.js";
import { replayTransaction as replay } from "../replay-results.js";
import { traceTypes } from "../trace-types.js";

/** `trace_replayTransaction`: traces of a transaction. */
export const replayTransaction = method({
  offload: "long",
  summary:
    "Traces a mined transaction: calls, state changes and instructions; null if there is none.",
  params: { hash: transactionHash, types: traceTypes },
  absentIn: "besu",
  result: t.json,
  example: { params: [`0x${"ab".repeat(32)}`, ["trace"]], result: REPLAY_RESULT },
  async handle({ hash, types }, caller: QueryCall) {
    const blocks = caller.chain.blocks;
    const found = findTransaction(blocks, hash);
    if (found === undefined) return null;
    return (await replay(blocks, found, { types, caller })) ?? null;
  },
});
