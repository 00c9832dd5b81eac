import type { Address, Block } from "@plinth/core";
import {
  type HeightFacts,
  type Prepare,
  verifyAuthors,
  verifyRoundChangeOf,
  verifyRule,
} from "@plinth/kit-bft";
import { qbftForm } from "./extra-data.js";
import type { QbftProposal } from "./messages/proposal.js";
import type { PreparedClaim, QbftRoundChange, SignedRoundChange } from "./messages/round-change.js";

/** Throws `Rejected` if a proposal is not justified in its round. */
export function verifyProposalOutline(proposal: QbftProposal, facts: HeightFacts): void {
  const { block, height, round } = proposal;
  verifyRule(
    block.header.number === height,
    "block-number",
    `the proposal for block ${height} has block ${block.header.number}`,
  );
  if (round === 0) verifyFirst(proposal);
  else verifyLater(proposal, facts);
}

/**
 * Throws `Rejected` if a round change does not prove its author's claim, except for the body of its
 * block.
 */
export function verifyRoundChangeOutline(message: QbftRoundChange, facts: HeightFacts): void {
  verifyRoundChangeOf(message, facts, message.prepared?.round);
  const { prepared, block, prepares, author } = message;
  if (block === undefined) {
    verifyRule(
      prepared === undefined,
      "prepared-block",
      `the round change of ${author} claims a block and has none`,
    );
    verifyRule(
      prepares.length === 0,
      "prepares",
      `the round change of ${author} has prepares without a block`,
    );
    return;
  }
  verifyRule(
    prepared !== undefined,
    "prepared-claim",
    `the round change of ${author} has a block and no claim`,
  );
  verifyRule(
    qbftForm.sealHashOf(block.header) === prepared.digest,
    "prepared-digest",
    `the round change of ${author} has another block than it claims`,
  );
  verifyRule(
    block.header.number === facts.height,
    "block-number",
    `the round change of ${author} has block ${block.header.number}`,
  );
  verifyPrepares(prepares, prepared, facts);
}

function verifyFirst({ roundChanges, prepares, block, author }: QbftProposal): void {
  verifyRule(
    roundChanges.length === 0 && prepares.length === 0,
    "justification",
    "a proposal of round 0 has nothing to justify",
  );
  verifyCoinbase(block, author);
}

function verifyLater(proposal: QbftProposal, facts: HeightFacts): void {
  const { roundChanges, prepares, block, author, round } = proposal;
  verifyAuthors("round changes", roundChanges, facts.quorum);
  for (const change of roundChanges) {
    verifyRoundChangeOf(change, facts, change.prepared?.round);
    verifyRule(
      change.round === round,
      "round",
      `a round change to round ${change.round} does not justify round ${round}`,
    );
  }
  const claim = findHighestClaim(roundChanges);
  if (claim === undefined) {
    verifyRule(
      prepares.length === 0,
      "prepares",
      "a proposal has prepares, and no validator was prepared",
    );
    verifyCoinbase(block, author);
    return;
  }
  verifyRule(
    isClaimed(block, claim),
    "prepared-digest",
    `another block was prepared in round ${claim.round}`,
  );
  verifyPrepares(prepares, claim, facts);
}

/**
 * The claim of the highest round; two claims for one round and different blocks cannot both be
 * true.
 */
function findHighestClaim(changes: readonly SignedRoundChange[]): PreparedClaim | undefined {
  const claims = new Map<number, PreparedClaim>();
  for (const { prepared } of changes) {
    if (prepared === undefined) continue;
    const known = claims.get(prepared.round);
    verifyRule(
      known === undefined || known.digest === prepared.digest,
      "conflicting-claims",
      `two blocks were prepared in round ${prepared.round}`,
    );
    claims.set(prepared.round, prepared);
  }
  return [...claims.values()].sort((a, b) => b.round - a.round)[0];
}

/**
 * Whether a proposed block is the prepared one.
 *
 * The digest covers the round in the block, and clients differ in which they write: all forms identify the same block.
 */
export function isClaimed({ header }: Block, { round, digest }: PreparedClaim): boolean {
  if (qbftForm.sealHashOf(header, round) === digest) return true;
  if (qbftForm.sealHashOf(header) === digest) return true;
  for (let each = 0; each < Math.min(round, MAX_ROUNDS_TRIED); each++) {
    if (qbftForm.sealHashOf(header, each) === digest) return true;
  }
  return false;
}

const MAX_ROUNDS_TRIED = 64;

function verifyPrepares(
  prepares: readonly Prepare[],
  claim: PreparedClaim,
  facts: HeightFacts,
): void {
  verifyAuthors("prepares", prepares, facts.quorum);
  for (const { author, height, round, digest } of prepares) {
    verifyRule(facts.validators.includes(author), "author", `${author} is not a validator`);
    verifyRule(
      height === facts.height && round === claim.round && digest === claim.digest,
      "prepares",
      `the prepare of ${author} is for another block or round`,
    );
  }
}

function verifyCoinbase({ header: { coinbase } }: Block, author: Address): void {
  verifyRule(coinbase === author, "coinbase", `${author} proposes a new block of ${coinbase}`);
}
