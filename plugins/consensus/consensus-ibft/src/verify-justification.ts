import type { Block } from "@plinth/core";
import { type HeightFacts, verifyAuthors, verifyRoundChangeOf, verifyRule } from "@plinth/kit-bft";
import { ibftExtraData, ibftForm } from "./extra-data.js";
import type { IbftProposal } from "./messages/proposal.js";
import type { IbftRoundChange, PreparedProof, SignedRoundChange } from "./messages/round-change.js";

/** Throws `Rejected` if a proposal is not justified in its round. */
export function verifyProposalOutline(proposal: IbftProposal, facts: HeightFacts): void {
  const { block, height, round, digest, roundChanges } = proposal;
  verifyNumber(block, height);
  verifyRule(
    ibftForm.sealHashOf(block.header) === digest,
    "digest",
    `the proposal of round ${round} has another block than it was signed for`,
  );
  verifyRule(
    ibftExtraData.decode(block.header.extraData).round === round,
    "block-round",
    `the block of a proposal of round ${round} carries another round`,
  );
  if (round === 0) {
    verifyRule(
      roundChanges === undefined,
      "justification",
      "a proposal of round 0 has nothing to justify",
    );
  } else {
    verifyRule(
      roundChanges !== undefined,
      "justification",
      `a proposal of round ${round} has no justification`,
    );
    verifyReasons(proposal, roundChanges, facts);
  }
}

/**
 * Throws `Rejected` if a round change does not prove its author's claim, except for the body of its
 * block.
 */
export function verifyRoundChangeOutline(message: IbftRoundChange, facts: HeightFacts): void {
  verifySignedRoundChange(message, facts);
  const { prepared, block, author } = message;
  verifyRule(
    (prepared === undefined) === (block === undefined),
    "prepared-block",
    `the round change of ${author} has a block without a proof, or a proof without a block`,
  );
  if (prepared === undefined || block === undefined) return;
  verifyNumber(block, facts.height);
  verifyRule(
    ibftForm.sealHashOf(block.header) === prepared.proposal.digest,
    "prepared-digest",
    `the round change of ${author} has another block than it proves`,
  );
  verifyRule(
    ibftExtraData.decode(block.header.extraData).round === prepared.proposal.round,
    "block-round",
    `the block in the round change of ${author} carries another round than it was prepared in`,
  );
}

function verifyReasons(
  { block, round }: IbftProposal,
  reasons: readonly SignedRoundChange[],
  facts: HeightFacts,
): void {
  verifyAuthors("round changes", reasons, facts.quorum);
  for (const reason of reasons) {
    verifySignedRoundChange(reason, facts);
    verifyRule(
      reason.round === round,
      "round",
      `a round change to round ${reason.round} does not justify round ${round}`,
    );
  }
  const last = findLastProof(reasons)?.proposal;
  verifyRule(
    last === undefined || ibftForm.sealHashOf(block.header, last.round) === last.digest,
    "prepared-digest",
    `another block was prepared in round ${last?.round}`,
  );
}

function verifySignedRoundChange(message: SignedRoundChange, facts: HeightFacts): void {
  const { prepared } = message;
  verifyRoundChangeOf(message, facts, prepared?.proposal.round);
  if (prepared !== undefined) verifyProof(prepared, facts);
}

function verifyProof({ proposal, prepares }: PreparedProof, facts: HeightFacts): void {
  const { height, round, author, digest } = proposal;
  const proposer = facts.proposerOf(round);
  verifyRule(height === facts.height, "height", `a proof is about a proposal for block ${height}`);
  verifyRule(
    author === proposer,
    "proposer",
    `the proposer of round ${round} is ${proposer}, not ${author}`,
  );
  verifyAuthors("prepares", prepares, facts.quorum - 1);
  for (const prepare of prepares) {
    verifyRule(
      facts.validators.includes(prepare.author) && prepare.author !== proposer,
      "author",
      `${prepare.author} is not a validator that prepares in round ${round}`,
    );
    verifyRule(
      prepare.height === height && prepare.round === round && prepare.digest === digest,
      "prepares",
      `the prepare of ${prepare.author} is for another block or round`,
    );
  }
}

/** The proof of the highest round; the first one if two are equal. */
function findLastProof(reasons: readonly SignedRoundChange[]): PreparedProof | undefined {
  return reasons
    .flatMap(({ prepared }) => (prepared === undefined ? [] : [prepared]))
    .sort((a, b) => b.proposal.round - a.proposal.round)[0];
}

function verifyNumber({ header: { number } }: Block, height: bigint): void {
  verifyRule(number === height, "block-number", `block ${number} was sent for height ${height}`);
}
