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

/** What is known about a height when it starts. */
export interface HeightFacts {
  readonly height: bigint;
  /** In ascending order. */
  readonly validators: readonly Address[];
  readonly quorum: number;
  proposerOf(round: number): Address | undefined;
}

/** Signs a hash with the node key. */
export type Sign = (hash: Hash) => Promise<Signature>;

/** Verifies a block except for its commit seals, and executes it; rejects with `Rejected`. */
export type VerifyBlock = (block: Block) => Promise<void>;

/**
 * How an engine encodes, decodes and justifies messages. All other steps are the same for every BFT
 * engine.
 */
export interface Dialect<P extends Proposal = Proposal, R extends RoundChange = RoundChange> {
  /** The name of the engine in messages. */
  readonly engine: string;
  /** Whether a proposer sends a prepare for its own proposal. */
  readonly proposerPrepares: boolean;
  /** Whether round 0 starts after the block period; otherwise with the height. */
  readonly awaitsPeriod: boolean;
  /** The kind of message of a code. */
  kindOf(code: number): BftMessage["kind"] | undefined;
  /**
   * Decodes height, round and author, with one signature; rejects with `RlpError` if the payload is
   * malformed.
   */
  open(code: number, payload: Uint8Array): Promise<Envelope>;
  /**
   * Decodes a message except for the body of its block; throws `RlpError`, or `Rejected` if others
   * than those signed it.
   */
  read(envelope: Envelope, signers: NestedSigners): Steps<Outline<BftMessage<P, R>>>;
  /**
   * Decodes a whole message at once; anyone may have signed its parts.
   *
   * Throws `RlpError` if the payload is malformed, or a list in it has messages of more than this
   * many authors.
   */
  decode(code: number, payload: Uint8Array, maxAuthors?: number): BftMessage<P, R>;
  /** The hash that a commit seal of a round signs. */
  sealHashOf(block: Block, round: number): Hash;
  /** A new block as proposed in a round. */
  withRound(block: Block, round: number): Block;
  /**
   * The block of a round change as proposed again in a round, so that every validator recognizes
   * it.
   */
  proposedAgain(block: Block, round: number, reason: R): Block;
  /** The block as decided. */
  withSeals(block: Block, round: number, seals: readonly Uint8Array[]): Block;
  /** `reasons` are the round changes that led to the round; none in round 0. */
  createProposal(id: RoundId, block: Block, reasons: readonly R[], sign: Sign): Promise<P>;
  createPrepare(id: RoundId, digest: Hash, sign: Sign): Promise<Prepare>;
  createCommit(id: RoundId, content: Pick<Commit, "digest" | "seal">, sign: Sign): Promise<Commit>;
  createRoundChange(id: RoundId, prepared: Prepared<P> | undefined, sign: Sign): Promise<R>;
  /**
   * Whether every validator accepts the block of a round change once it is proposed again; some
   * releases have limits.
   */
  isAccepted(message: R): boolean;
  /**
   * Throws `Rejected` if a proposal is not justified, regardless of its author; its block needs no
   * body.
   */
  verifyProposalOutline(proposal: P, facts: HeightFacts): void;
  /** The same for a round change. */
  verifyRoundChangeOutline(message: R, facts: HeightFacts): void;
  /**
   * Rejects with `Rejected` if a proposal is not justified, regardless of its author, or its block
   * is invalid.
   */
  verifyProposal(proposal: P, facts: HeightFacts, verifyBlock: VerifyBlock): Promise<void>;
  /** The same for a round change. */
  verifyRoundChange(message: R, facts: HeightFacts, verifyBlock: VerifyBlock): Promise<void>;
}
