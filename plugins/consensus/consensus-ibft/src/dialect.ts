import { createReading, type Dialect } from "@plinth/kit-bft";
import { ibftForm } from "./block-form.js";
import { codes } from "./messages/codes.js";
import { payloads, votes } from "./messages/payload.js";
import { type IbftProposal, readProposal, signProposal } from "./messages/proposal.js";
import { type IbftRoundChange, readRoundChange, signRoundChange } from "./messages/round-change.js";
import {
  verifyProposal,
  verifyProposalOutline,
  verifyRoundChange,
  verifyRoundChangeOutline,
} from "./verify-justification.js";

const reading = createReading({ codes, payloads, votes, readProposal, readRoundChange });

/** IBFT 2.0 as Besu speaks it. */
export const ibft: Dialect<IbftProposal, IbftRoundChange> = {
  engine: "IBFT 2.0",
  proposerPrepares: false,
  awaitsPeriod: false,
  ...reading.methods,
  sealHashOf: ({ header }, round) => ibftForm.sealHashOf(header, round),
  withRound: (block, round) => ibftForm.withRound(block, round),
  proposedAgain: (block, round) => ibftForm.withRound(block, round),
  withSeals: (block, round, seals) => ibftForm.withSeals(block, round, seals),
  createProposal: async (...given) => reading.readOwnProposal(await signProposal(...given)),
  createPrepare: (id, digest, sign) => votes.createPrepare(id, digest, sign),
  createCommit: (id, content, sign) => votes.createCommit(id, content, sign),
  createRoundChange: async (...given) =>
    reading.readOwnRoundChange(await signRoundChange(...given)),
  isAccepted: () => true,
  verifyProposalOutline,
  verifyRoundChangeOutline,
  verifyProposal,
  verifyRoundChange,
};
