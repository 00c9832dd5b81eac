import { type Call, method, t } from "@plinth/core";
import type { qbftChain } from "@plinth/plugin-consensus-qbft/api";

/** `qbft_getRequestTimeoutSeconds`: the timeout of round 0. */
export const getRequestTimeoutSeconds = method({
  summary: "Returns the timeout of the first round of a block, in seconds.",
  result: t.integer(),
  example: { params: [], result: 4 },
  handle: (_, { bft }: Call<{ readonly bft: typeof qbftChain }>) => bft.requestTimeoutSeconds,
});
