import { type Block, decodeRlp, RlpError } from "@plinth/core";
import type { Dialect } from "@plinth/kit-bft";
import { qbftForm } from "./block-form.js";
import { qbftExtraData } from "./extra-data.js";
import { codes } from "./messages/codes.js";
import { votes } from "./messages/payload.js";
import { createProposal, decodeProposal, type QbftProposal } from "./messages/proposal.js";
import {
  createRoundChange,
  decodeRoundChange,
  type QbftRoundChange,
} from "./messages/round-change.js";
import { isClaimed, verifyProposal, verifyRoundChange } from "./verify-justification.js";

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
    decode(code, payload, maxAuthors) {
      switch (code) {
        case codes.proposal:
          return decodeProposal(payload, maxAuthors);
        case codes.prepare:
          return votes.readPrepare(decodeRlp(payload));
        case codes.commit:
          return votes.decodeCommit(payload);
        case codes.roundChange:
          return decodeRoundChange(payload, maxAuthors);
        default:
          throw new RlpError(`no message has the code ${code}`);
      }
    },
    sealHashOf: ({ header }, round) => qbftForm.sealHashOf(header, round),
    withRound,
    // A block may carry any round: one that others would not try is left as it is, or the height would never end.
    proposedAgain(block, round, { prepared }) {
      const again = withRound(block, round);
      return prepared === undefined || isClaimed(again, prepared) ? again : block;
    },
    withSeals: (block, round, seals) => qbftForm.withSeals(block, round, seals),
    createProposal,
    createPrepare: (id, digest, sign) => votes.createPrepare(id, digest, sign),
    createCommit: (id, content, sign) => votes.createCommit(id, content, sign),
    createRoundChange,
    // Besu before 24.12 accepts a block again only if it carried the round that it was prepared in.
    isAccepted: ({ block, preparedRound }) =>
      block === undefined || qbftExtraData.decode(block.header.extraData).round === preparedRound,
    verifyProposal,
    verifyRoundChange,
  };
}

/** What this node speaks unless the operator says otherwise. */
export const qbft = createDialect("message");
