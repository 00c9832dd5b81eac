import { type Call, method, t } from "@plinth/core";
import type { qbftChain } from "@plinth/plugin-consensus-qbft/api";

/** `qbft_getRequestTimeoutSeconds`: how long round 0 may last. */
export const getRequestTimeoutSeconds = method({
  summary:
    "Returns how many seconds validators wait for a block before they give up its first round.",
  result: t.integer(),
  example: { params: [], result: 4 },
  handle: (_, { bft }: Call<{ readonly bft: typeof qbftChain }>) => bft.requestTimeoutSeconds,
});
