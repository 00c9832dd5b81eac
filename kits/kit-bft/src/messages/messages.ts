import type { Address, Block, Hash, Rlp } from "@plinth/core";

/** The height and the round that a message is for. */
export interface RoundId {
  /** The number of the block that is decided. */
  readonly height: bigint;
  readonly round: number;
}

/** A message of which only height, round and author were read: one signature says whether the rest is worth it. */
export interface Envelope extends RoundId {
  readonly kind: "proposal" | "prepare" | "commit" | "round-change";
  /** Recovered from the signature. */
  readonly author: Address;
  /** The code of the message in its protocol. */
  readonly code: number;
  /** The message as it is sent. */
  readonly bytes: Uint8Array;
}

/** What every message has. */
export interface SignedMessage extends Omit<Envelope, "kind"> {
  /** The signed part of it, payload and signature: its items, or its encoding where no other message repeats it. */
  readonly signed: Rlp;
}

/** The proposer of a round says which block it is for. */
export interface Proposal extends SignedMessage {
  readonly kind: "proposal";
  readonly block: Block;
  /** What the other messages of the round call the block. */
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
  /** What goes into the header. */
  readonly seal: Uint8Array;
}

/** A validator gave up on the rounds before this one. */
export interface RoundChange extends SignedMessage {
  readonly kind: "round-change";
  /** The last round that its author was prepared in. */
  readonly preparedRound: number | undefined;
  /** The block that it was prepared for. */
  readonly block: Block | undefined;
}

/** Any message; engines add to proposals and round changes what justifies them. */
export type BftMessage<P extends Proposal = Proposal, R extends RoundChange = RoundChange> =
  | P
  | Prepare
  | Commit
  | R;

/** Proves that a block was prepared: no other block can have been decided in an earlier round. */
export interface Certificate<P extends Proposal = Proposal> {
  readonly proposal: P;
  readonly prepares: readonly Prepare[];
  /** The block, where the body in the proposal is wrong. */
  readonly block?: Block;
}

/** A certificate with the block that it is about, as this node executed it. */
export interface Prepared<P extends Proposal = Proposal> extends Certificate<P> {
  readonly block: Block;
}

/** A validator signs one message of each kind in a round. */
export function keyOf({ kind, round }: Pick<BftMessage, "kind" | "round">): string {
  return `${kind} ${round}`;
}

/** Of several round changes, the one that was prepared last: its block is proposed again. */
export function findPrepared<R extends RoundChange>(roundChanges: readonly R[]): R | undefined {
  return roundChanges
    .filter(({ block }) => block !== undefined)
    .sort((a, b) => (b.preparedRound ?? -1) - (a.preparedRound ?? -1))[0];
}
