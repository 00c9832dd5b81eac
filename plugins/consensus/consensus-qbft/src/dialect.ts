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

/**
 * The round that a proposed block carries: that of its message, or zero, as in GoQuorum and Besu
 * before 24.12.
 */
export type BlockRound = "message" | "zero";

/** QBFT as implemented by Besu. */
export function createDialect(blockRound: BlockRound): Dialect<QbftProposal, QbftRoundChange> {
  const withRound = (block: Block, round: number) =>
    form.withRound(block, blockRound === "zero" ? 0 : round);
  return createBftDialect({
    ...{ form, messages, readProposal, readRoundChange, signProposal, signRoundChange },
    proposerPrepares: true,
    awaitsPeriod: true,
    withRound,
    // A block may carry any round: one that others would not try is kept, or the height would never
    // end.
    proposedAgain(block, round, { prepared }) {
      const again = withRound(block, round);
      return prepared === undefined || isClaimed(again, prepared) ? again : block;
    },
    // Besu before 24.12 accepts a block again only if it carries the round in which it was
    // prepared.
    isAccepted: ({ block, preparedRound }) =>
      block === undefined || qbftExtraData.decode(block.header.extraData).round === preparedRound,
    verifyProposalOutline,
    verifyRoundChangeOutline,
  });
}

/** The default dialect of this node. */
export const qbft = createDialect("message");
