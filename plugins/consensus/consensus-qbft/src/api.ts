import { defineService } from "@plinth/core";
import type { BftChain } from "@plinth/kit-bft";

export { createDialect, qbft } from "./dialect.js";
export { qbftExtraData } from "./extra-data.js";
export type { QbftProposal } from "./messages/proposal.js";
export type { QbftRoundChange } from "./messages/round-change.js";

/** Queries of other plugins to a QBFT chain. */
export interface QbftChain extends BftChain {
  readonly requestTimeoutSeconds: number;
}

/** Service key of QBFT, for plugins that query validators. */
export const qbftChain = defineService<QbftChain>("consensus-qbft.chain", {
  hint: "@plinth/plugin-consensus-qbft",
});
