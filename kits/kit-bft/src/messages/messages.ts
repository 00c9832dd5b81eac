import type { Address, Block, Hash, Rlp } from "@plinth/core";

/** The height and the round that a message is for. */
export interface RoundId {
  /** The number of the block being decided. */
  readonly height: bigint;
  readonly round: number;
}

/**
 * A message of which only height, round and author have been decoded: one signature shows whether
 * the rest is worth it.
 */
export interface Envelope extends RoundId {
  readonly kind: "proposal" | "prepare" | "commit" | "round-change";
  /** Recovered from the signature. */
  readonly author: Address;
  /** The code of the message in its protocol. */
  readonly code: number;
  /** The message as sent. */
  readonly bytes: Uint8Array;
}

/** What every message has. */
export interface SignedMessage extends Omit<Envelope, "kind"> {
  /**
   * Its signed part, payload and signature: its items, or its encoding if no other message repeats
   * it.
   */
  readonly signed: Rlp;
}

/** The proposer of a round proposes a block. */
export interface Proposal extends SignedMessage {
  readonly kind: "proposal";
  readonly block: Block;
  /** The reference to the block in other messages of the round. */
  readonly digest: Hash;
}

/** A validator has seen a valid proposal. */
export interface Prepare extends SignedMessage {
  readonly kind: "prepare";
  readonly digest: Hash;
}

/** A validator has seen a quorum of prepares. */
export interface Commit extends SignedMessage {
  readonly kind: "commit";
  readonly digest: Hash;
  /** The seal for the header. */
  readonly seal: Uint8Array;
}

/** A validator gave up on the rounds before this one. */
export interface RoundChange extends SignedMessage {
  readonly kind: "round-change";
  /** The last round in which its author was prepared. */
  readonly preparedRound: number | undefined;
  /** The block that it was prepared for. */
  readonly block: Block | undefined;
}

/** Any message; engines add justifications to proposals and round changes. */
export type BftMessage<P extends Proposal = Proposal, R extends RoundChange = RoundChange> =
  | P
  | Prepare
  | Commit
  | R;

/** Proves that a block was prepared: no other block can have been decided in an earlier round. */
export interface Certificate<P extends Proposal = Proposal> {
  readonly proposal: P;
  readonly prepares: readonly Prepare[];
  /** The block, if the body in the proposal is wrong. */
  readonly block?: Block;
}

/** A certificate with its block, as this node executed it. */
export interface Prepared<P extends Proposal = Proposal> extends Certificate<P> {
  readonly block: Block;
}

/** A validator signs one message of each kind in a round. */
export function keyOf({ kind, round }: Pick<BftMessage, "kind" | "round">): string {
  return `${kind} ${round}`;
}

/** Of several round changes, the one prepared last: its block is proposed again. */
export function findPrepared<R extends RoundChange>(roundChanges: readonly R[]): R | undefined {
  return roundChanges
    .filter(({ block }) => block !== undefined)
    .sort((a, b) => (b.preparedRound ?? -1) - (a.preparedRound ?? -1))[0];
}
