import type { Block } from "@plinth/core";
import { createReading, type Dialect } from "@plinth/kit-bft";
import { qbftForm } from "./block-form.js";
import { qbftExtraData } from "./extra-data.js";
import { codes } from "./messages/codes.js";
import { payloads, votes } from "./messages/payload.js";
import { type QbftProposal, readProposal, signProposal } from "./messages/proposal.js";
import { type QbftRoundChange, readRoundChange, signRoundChange } from "./messages/round-change.js";
import {
  isClaimed,
  verifyProposal,
  verifyProposalOutline,
  verifyRoundChange,
  verifyRoundChangeOutline,
} from "./verify-justification.js";

const reading = createReading({ codes, payloads, votes, readProposal, readRoundChange });

/** Which round a proposed block carries: that of its message, or zero, as GoQuorum and Besu before 24.12 wrote it. */
export type BlockRound = "message" | "zero";

/** QBFT as Besu speaks it. */
export function createDialect(blockRound: BlockRound): Dialect<QbftProposal, QbftRoundChange> {
  const withRound = (block: Block, round: number) =>
    qbftForm.withRound(block, blockRound === "zero" ? 0 : round);
  return {
    engine: "QBFT",
    proposerPrepares: true,
    awaitsPeriod: true,
    ...reading.methods,
    sealHashOf: ({ header }, round) => qbftForm.sealHashOf(header, round),
    withRound,
    // A block may carry any round: one that others would not try is left as it is, or the height would never end.
    proposedAgain(block, round, { prepared }) {
      const again = withRound(block, round);
      return prepared === undefined || isClaimed(again, prepared) ? again : block;
    },
    withSeals: (block, round, seals) => qbftForm.withSeals(block, round, seals),
    createProposal: async (...given) => reading.readOwnProposal(await signProposal(...given)),
    createPrepare: (id, digest, sign) => votes.createPrepare(id, digest, sign),
    createCommit: (id, content, sign) => votes.createCommit(id, content, sign),
    createRoundChange: async (...given) =>
      reading.readOwnRoundChange(await signRoundChange(...given)),
    // Besu before 24.12 accepts a block again only if it carried the round that it was prepared in.
    isAccepted: ({ block, preparedRound }) =>
      block === undefined || qbftExtraData.decode(block.header.extraData).round === preparedRound,
    verifyProposalOutline,
    verifyRoundChangeOutline,
    verifyProposal,
    verifyRoundChange,
  };
}

/** What this node speaks unless the operator says otherwise. */
export const qbft = createDialect("message");
