import { type Call, method, t } from "@plinth/core";
import {
  decodeRawTransaction,
  getPrivacy,
  keyOf,
  rawTransaction,
  submissionError,
} from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";

/**
 * `priv_distributeRawTransaction`: distributes a private transaction to its parties; the caller
 * marks it.
 */
export const distributeRawTransaction = method({
  summary:
    "Distributes a signed private transaction, and returns the key for the caller's marker transaction.",
  params: { transaction: rawTransaction },
  result: t.data,
  example: { params: ["0xf8c0"], result: `0x${"ab".repeat(32)}` },
  async handle({ transaction }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    const key = keyOf(node, call.client);
    try {
      const decoded = await decodeRawTransaction(transaction);
      return await node.submission.distribute(decoded, key, call.signal);
    } catch (error) {
      throw submissionError(error, call.compatibility);
    }
  },
});
