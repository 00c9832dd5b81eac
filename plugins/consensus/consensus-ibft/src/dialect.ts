import { createDialect, verifyBlockBody } from "@plinth/kit-bft";
import { ibftForm as form } from "./extra-data.js";
import { messages } from "./messages/form.js";
import { readProposal, signProposal } from "./messages/proposal.js";
import { readRoundChange, signRoundChange } from "./messages/round-change.js";
import { verifyProposalOutline, verifyRoundChangeOutline } from "./verify-justification.js";

/** IBFT 2.0 as implemented by Besu. */
export const ibft = createDialect({
  ...{ form, messages, readProposal, readRoundChange, signProposal, signRoundChange },
  proposerPrepares: false,
  awaitsPeriod: false,
  withRound: (block, round) => form.withRound(block, round),
  proposedAgain: (block, round) => form.withRound(block, round),
  isAccepted: () => true,
  verifyProposalOutline,
  verifyRoundChangeOutline,
  verifyPrepared: verifyBlockBody,
});
