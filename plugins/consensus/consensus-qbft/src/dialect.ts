import type { Block } from "@plinth/core";
import { createDialect as createBftDialect, type Dialect } from "@plinth/kit-bft";
import { qbftForm as form, qbftExtraData } from "./extra-data.js";
import { messages } from "./messages/form.js";
import { type QbftProposal, readProposal, signProposal } from "./messages/proposal.js";
import { type QbftRoundChange, readRoundChange, signRoundChange } from "./messages/round-change.js";
import {
  isClaimed,
  verifyProposalOutline,
  verifyRoundChangeOutline,
} from "./verify-justification.js";

/** Which round a proposed block carries: that of its message, or zero, as GoQuorum and Besu before 24.12 wrote it. */
export type BlockRound = "message" | "zero";

/** QBFT as Besu speaks it. */
export function createDialect(blockRound: BlockRound): Dialect<QbftProposal, QbftRoundChange> {
  const withRound = (block: Block, round: number) =>
    form.withRound(block, blockRound === "zero" ? 0 : round);
  return createBftDialect({
    ...{ form, messages, readProposal, readRoundChange, signProposal, signRoundChange },
    proposerPrepares: true,
    awaitsPeriod: true,
    withRound,
    // A block may carry any round: one that others would not try is left as it is, or the height would never end.
    proposedAgain(block, round, { prepared }) {
      const again = withRound(block, round);
      return prepared === undefined || isClaimed(again, prepared) ? again : block;
    },
    // Besu before 24.12 accepts a block again only if it carried the round that it was prepared in.
    isAccepted: ({ block, preparedRound }) =>
      block === undefined || qbftExtraData.decode(block.header.extraData).round === preparedRound,
    verifyProposalOutline,
    verifyRoundChangeOutline,
  });
}

/** What this node speaks unless the operator says otherwise. */
export const qbft = createDialect("message");
