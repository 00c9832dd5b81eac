import { decodeRlp, RlpError } from "@plinth/core";
import type { Dialect } from "@plinth/kit-bft";
import { ibftForm } from "./block-form.js";
import { codes } from "./messages/codes.js";
import { votes } from "./messages/payload.js";
import { createProposal, decodeProposal, type IbftProposal } from "./messages/proposal.js";
import {
  createRoundChange,
  decodeRoundChange,
  type IbftRoundChange,
} from "./messages/round-change.js";
import { verifyProposal, verifyRoundChange } from "./verify-justification.js";

/** IBFT 2.0 as Besu speaks it. */
export const ibft: Dialect<IbftProposal, IbftRoundChange> = {
  engine: "IBFT 2.0",
  proposerPrepares: false,
  awaitsPeriod: false,
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
  sealHashOf: ({ header }, round) => ibftForm.sealHashOf(header, round),
  withRound: (block, round) => ibftForm.withRound(block, round),
  proposedAgain: (block, round) => ibftForm.withRound(block, round),
  withSeals: (block, round, seals) => ibftForm.withSeals(block, round, seals),
  createProposal,
  createPrepare: (id, digest, sign) => votes.createPrepare(id, digest, sign),
  createCommit: (id, content, sign) => votes.createCommit(id, content, sign),
  createRoundChange,
  isAccepted: () => true,
  verifyProposal,
  verifyRoundChange,
};
