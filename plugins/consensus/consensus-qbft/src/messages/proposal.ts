import { type Block, encodeRlp, RlpError } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import { blockToRlp } from "@plinth/core/blocks";
import {
  type Envelope,
  findPrepared,
  type NestedSigners,
  type Outline,
  type Prepare,
  type Proposal,
  type RoundId,
  readItems,
  readOutline,
  readSigned,
  type Sign,
  withoutBody,
} from "@plinth/kit-bft";
import { qbftExtraData, qbftForm } from "../extra-data.js";
import { codes, payloads, votes } from "./form.js";
import { openRoundChange, type QbftRoundChange, type SignedRoundChange } from "./round-change.js";

/** A proposal with its justification in a later round. */
export interface QbftProposal extends Proposal {
  readonly roundChanges: readonly SignedRoundChange[];
  readonly prepares: readonly Prepare[];
}

/**
 * Signs a proposal: `[[height, round, block], [round changes, prepares]]`, of which only the first
 * part is signed.
 */
export async function signProposal(
  id: RoundId,
  block: Block,
  reasons: readonly QbftRoundChange[],
  sign: Sign,
): Promise<Uint8Array> {
  const signed = await payloads.sign(codes.proposal, id, [blockToRlp(block)], sign);
  const roundChanges = reasons.map((reason) => reason.signed);
  const prepares = findPrepared(reasons)?.prepares.map((prepare) => prepare.signed) ?? [];
  return encodeRlp([signed, [roundChanges, prepares]]);
}

/** Decodes a proposal with a known author. */
export function* readProposal(
  { author, bytes }: Envelope,
  signers: NestedSigners,
): Steps<Outline<QbftProposal>> {
  const outer = readItems("Proposal", bytes, { min: 2, max: 2 });
  const [signed, justification] = outer as [Uint8Array, Uint8Array];
  const { height, round, rest } = payloads.read("Proposal", signed);
  // Besu 26.1 and later put a block access list after the block.
  const [item] = rest;
  if (item === undefined) throw new RlpError("Proposal.block: missing");
  const block = readOutline(item, qbftExtraData, signers.limit);
  const lists = readItems("Proposal.justification", justification, { min: 2, max: 2 });
  const [changes, prepared] = lists as [Uint8Array, Uint8Array];
  const roundChanges = yield* readSigned("Proposal.roundChanges", changes, {
    signers,
    read: (each) => openRoundChange(each, signers),
  });
  const prepares = yield* readSigned("Proposal.prepares", prepared, {
    signers,
    read: (each) => votes.openPrepare(each, signers),
  });
  const message: QbftProposal = {
    kind: "proposal",
    code: codes.proposal,
    ...{ height, round, author, bytes, signed },
    block: withoutBody(block),
    digest: qbftForm.sealHashOf(block.header),
    roundChanges,
    prepares,
  };
  return { message, block };
}
