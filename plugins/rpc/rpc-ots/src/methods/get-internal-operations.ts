import { method, type QueryCall, t } from "@plinth/core";
import { transactionHash } from "@plinth/kit-trace";
import type { ListedCall } from "../call-list.js";
import { EXAMPLES } from "../examples.js";
import { runTransaction } from "../run-transaction.js";

const OPERATIONS: Readonly<Record<string, number>> = {
  CALL: 0,
  SELFDESTRUCT: 1,
  CREATE: 2,
  CREATE2: 3,
};

/** `ots_getInternalOperations`: what contracts transferred, destroyed and created in a transaction. */
export const getInternalOperations = method({
  offload: "long",
  summary:
    "Returns the transfers, self-destructs and creations by contracts in a transaction, unless they were reverted.",
  params: { hash: transactionHash },
  result: t.json,
  example: {
    params: [EXAMPLES.hash],
    result: [{ type: 0, from: EXAMPLES.contract, to: EXAMPLES.address, value: "0x1" }],
  },
  async handle({ hash }, call: QueryCall) {
    const { list } = await runTransaction(hash, call);
    return list.effective.filter(isOperation).map(({ type, from, to, value }) => {
      return { type: OPERATIONS[type], from, to, value };
    });
  },
});

/** Calls without value are no transfers, and the transaction itself is not internal. */
function isOperation({ type, depth, value }: ListedCall): boolean {
  return depth > 0 && type in OPERATIONS && (type !== "CALL" || value !== "0x0");
}
