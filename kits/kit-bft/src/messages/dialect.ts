import type { Address, Block, Hash } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import type { Signature } from "@plinth/core/primitives";
import type {
  BftMessage,
  Commit,
  Envelope,
  Prepare,
  Prepared,
  Proposal,
  RoundChange,
  RoundId,
} from "./messages.js";
import type { NestedSigners } from "./nested-signers.js";
import type { Outline } from "./outline.js";

/** What is known about a height when it begins. */
export interface HeightFacts {
  readonly height: bigint;
  /** In ascending order. */
  readonly validators: readonly Address[];
  readonly quorum: number;
  proposerOf(round: number): Address | undefined;
}

/** Signs a hash with the key of the node. */
export type Sign = (hash: Hash) => Promise<Signature>;

/** Verifies a block as far as it can be without commit seals, and runs it; rejects with `Rejected`. */
export type VerifyBlock = (block: Block) => Promise<void>;

/** How an engine writes, reads and justifies messages. All other steps are the same for every BFT engine. */
export interface Dialect<P extends Proposal = Proposal, R extends RoundChange = RoundChange> {
  /** What the engine is called in messages. */
  readonly engine: string;
  /** Whether a proposer sends a prepare for its own proposal. */
  readonly proposerPrepares: boolean;
  /** Whether round 0 begins when the block period has passed; with the height otherwise. */
  readonly awaitsPeriod: boolean;
  /** Which message has a code. */
  kindOf(code: number): BftMessage["kind"] | undefined;
  /** Reads height, round and author, with one signature; rejects with `RlpError` when the payload is no such message. */
  open(code: number, payload: Uint8Array): Promise<Envelope>;
  /** Reads a message but for the body of its block; throws `RlpError`, or `Rejected` where others than those signed it. */
  read(envelope: Envelope, signers: NestedSigners): Steps<Outline<BftMessage<P, R>>>;
  /**
   * Reads all of a message at once; anyone may have signed what is in it.
   *
   * Throws `RlpError` when the payload is no such message, or a list in it has messages of more than so many authors.
   */
  decode(code: number, payload: Uint8Array, maxAuthors?: number): BftMessage<P, R>;
  /** What a commit seal of a round signs. */
  sealHashOf(block: Block, round: number): Hash;
  /** A new block as it is proposed in a round. */
  withRound(block: Block, round: number): Block;
  /** The block of a round change as it is proposed again in a round, so that every validator finds it to be the same. */
  proposedAgain(block: Block, round: number, reason: R): Block;
  /** The block as it was decided. */
  withSeals(block: Block, round: number, seals: readonly Uint8Array[]): Block;
  /** `reasons` are the round changes that led to the round; none in round 0. */
  createProposal(id: RoundId, block: Block, reasons: readonly R[], sign: Sign): Promise<P>;
  createPrepare(id: RoundId, digest: Hash, sign: Sign): Promise<Prepare>;
  createCommit(id: RoundId, content: Pick<Commit, "digest" | "seal">, sign: Sign): Promise<Commit>;
  createRoundChange(id: RoundId, prepared: Prepared<P> | undefined, sign: Sign): Promise<R>;
  /** Whether every validator accepts the block of a round change once it is proposed again; some releases have limits. */
  isAccepted(message: R): boolean;
  /** Throws `Rejected` when a proposal is not justified, its author apart; its block needs no body. */
  verifyProposalOutline(proposal: P, facts: HeightFacts): void;
  /** The same for a round change. */
  verifyRoundChangeOutline(message: R, facts: HeightFacts): void;
  /** Rejects with `Rejected` when a proposal is not justified, its author apart, or its block is not valid. */
  verifyProposal(proposal: P, facts: HeightFacts, verifyBlock: VerifyBlock): Promise<void>;
  /** The same for a round change. */
  verifyRoundChange(message: R, facts: HeightFacts, verifyBlock: VerifyBlock): Promise<void>;
}
