import { method, type QueryCall, t } from "@plinth/core";
import { transactionHash } from "@plinth/kit-trace";
import { EXAMPLES } from "../examples.js";
import { runTransaction } from "../run-transaction.js";

/** `ots_traceTransaction`: all calls of a transaction in order. */
export const traceTransaction = method({
  offload: "long",
  summary: "Returns the calls of a transaction in order, each with its depth.",
  params: { hash: transactionHash },
  result: t.json,
  example: {
    params: [EXAMPLES.hash],
    result: [
      {
        ...{ type: "CALL", depth: 0, from: EXAMPLES.address, to: EXAMPLES.contract },
        ...{ value: "0x0", input: "0x", output: "0x" },
      },
    ],
  },
  handle: async ({ hash }, call: QueryCall) => (await runTransaction(hash, call)).list.calls,
});
