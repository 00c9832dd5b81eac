import { type Call, method, RpcError, t, toHex } from "@plinth/core";
import { enclaveError, getPrivacy, verifyMember } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { findPrivateTransaction } from "../found-transaction.js";

const MAX_STEPS = 50_000;

/** `priv_debugTraceTransaction`: every step of a private transaction. */
export const debugTraceTransaction = method({
  summary:
    "Re-executes a private transaction and returns its steps, at most 50,000; null for callers other than its parties.",
  params: {
    transaction: t.hash,
    options: t.optional(
      t.object({
        limit: t.optional(t.integer({ min: 1, max: MAX_STEPS }), MAX_STEPS),
        enableMemory: t.optional(t.boolean, false),
      }),
      { limit: MAX_STEPS, enableMemory: false },
    ),
  },
  result: t.json,
  example: {
    params: [`0x${"ab".repeat(32)}`, { limit: 100 }],
    result: { failed: false, returnValue: "0x", isCut: false, structLogs: [] },
  },
  async handle({ transaction: hash, options }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    const found = await findPrivateTransaction(hash, call);
    if (found === undefined) return null;
    const { group, place } = found;
    await verifyMember(node, group, call.client);
    const caller = { signal: call.signal, owner: call.client.connection ?? call.client };
    const shown = { limit: options.limit, hasMemory: options.enableMemory };
    const traced = await node.traceSteps(group, { ...place, shown }, caller).catch((error) => {
      throw enclaveError(error);
    });
    if (traced === undefined) {
      const { number } = place.block.header;
      throw new RpcError(
        -32000,
        `the state before block ${number} is not kept, or this node has not executed the transaction: only a node that keeps old states can trace it`,
      );
    }
    const { receipt, steps, isCut } = traced;
    return {
      failed: receipt.status !== 1,
      returnValue: toHex(receipt.revertReason ?? receipt.output),
      isCut,
      structLogs: steps,
    };
  },
});
