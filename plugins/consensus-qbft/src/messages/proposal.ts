import { type Block, blockToRlp, decodeRlp, encodeRlp, Fields } from "@plinth/core";
import {
  findPrepared,
  type Prepare,
  type Proposal,
  type RoundId,
  readBlock,
  readSigned,
  type Sign,
} from "@plinth/kit-bft";
import { qbftForm } from "../block-form.js";
import { qbftExtraData } from "../extra-data.js";
import { codes } from "./codes.js";
import { payloads, votes } from "./payload.js";
import {
  type QbftRoundChange,
  type SignedRoundChange,
  signedRoundChangeFromRlp,
} from "./round-change.js";

/** A proposal with what justifies it in a later round. */
export interface QbftProposal extends Proposal {
  readonly roundChanges: readonly SignedRoundChange[];
  readonly prepares: readonly Prepare[];
}

/** Signs a proposal: `[[height, round, block], [round changes, prepares]]`, where only the first part is signed. */
export async function createProposal(
  id: RoundId,
  block: Block,
  reasons: readonly QbftRoundChange[],
  sign: Sign,
): Promise<QbftProposal> {
  const signed = await payloads.sign(codes.proposal, id, [blockToRlp(block)], sign);
  const roundChanges = reasons.map((reason) => reason.signed);
  const prepares = findPrepared(reasons)?.prepares.map((prepare) => prepare.signed) ?? [];
  return decodeProposal(encodeRlp([signed, [roundChanges, prepares]]));
}

export function decodeProposal(
  bytes: Uint8Array,
  maxAuthors = Number.POSITIVE_INFINITY,
): QbftProposal {
  const outer = new Fields("Proposal", decodeRlp(bytes));
  const signed = outer.item("signed");
  const justification = new Fields("Proposal.justification", outer.list("justification"));
  outer.verifyEnd();
  const { height, round, author, fields } = payloads.open("Proposal", codes.proposal, signed);
  const block = readBlock(fields.item("block"), qbftExtraData);
  // Besu 26.1 and later put a block access list there.
  if (fields.hasMore()) fields.item("accessList");
  fields.verifyEnd();
  const roundChanges = readSigned("Proposal.roundChanges", justification.list("roundChanges"), {
    maxAuthors,
    read: signedRoundChangeFromRlp,
  });
  const prepares = readSigned("Proposal.prepares", justification.list("prepares"), {
    maxAuthors,
    read: (item) => votes.readPrepare(item),
  });
  justification.verifyEnd();
  return {
    kind: "proposal",
    code: codes.proposal,
    ...{ height, round, author, bytes, signed, block },
    digest: qbftForm.sealHashOf(block.header),
    roundChanges,
    prepares,
  };
}
