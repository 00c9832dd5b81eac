import type { Body } from "../../blocks/block.js";
import type { Header, SealedHeader } from "../../blocks/header.js";
import type { Receipt } from "../../blocks/receipt.js";
import type { Finality } from "../../consensus/engine.js";
import type { HeaderTrust } from "../../consensus/header-proof.js";
import type { Clock } from "../../kernel/clock.js";
import { defineContributionPoint } from "../../kernel/contributions.js";
import type { OfferedProtocol } from "../../network/driver.js";
import type { ProtocolPeer } from "../../network/peer.js";
import type { ProtocolSession } from "../../network/sub-protocol.js";
import type { Address, Hash } from "../../primitives/hex.js";
import type { StoredAccount } from "../state/state-proof.js";

/** A slot of a joined account. */
export interface JoinedSlot {
  /** The hash of the slot. */
  readonly key: Uint8Array;
  /** The slot itself, if it is known. */
  readonly slot?: Hash | undefined;
  readonly value: bigint;
}

/** An account of a joined state, with some of its slots or all. */
export interface JoinedAccount {
  /** The hash of the address. */
  readonly key: Uint8Array;
  /** The address itself, if it is known. */
  readonly address?: Address | undefined;
  readonly account: StoredAccount;
  readonly slots: readonly JoinedSlot[];
}

/** The code of contracts. */
export interface JoinedCode {
  readonly hash: Hash;
  readonly code: Uint8Array;
}

/** A piece of a joined state. */
export interface JoinedState {
  /** Code of its accounts that was not part of an earlier piece. */
  readonly codes?: readonly JoinedCode[];
  /** In any order; the slots of an account may be in several pieces. */
  readonly accounts: readonly JoinedAccount[];
}

/** A block without its header. */
export interface JoinedBlock {
  readonly body: Body;
  readonly receipts: readonly Receipt[];
}

/** A block that an operator demands. */
export interface RequiredBlock {
  readonly number: bigint;
  readonly hash: Hash;
  /** The setting that demands it, for messages. */
  readonly setting: string;
}

/** The header of a block and those right before it, which nothing proves: the operator trusts their source. */
export interface UnprovenHeaders {
  /** In order, each the parent of the next; the last one is that of the block. */
  readonly headers: readonly SealedHeader[];
  /** Of the block. */
  readonly totalDifficulty: bigint;
}

/**
 * A chain up to a block, with the state of that block: in parts, from a source that need not be trusted.
 *
 * Parts are read in order; after an interruption those that were applied are not read again.
 */
export interface OfferedChain {
  readonly chainId: bigint;
  readonly genesisHash: Hash;
  /** The block whose state is offered, later than block 0. */
  readonly block: Pick<Header, "number" | "stateRoot"> & { readonly hash: Hash };
  /** Identifies the division into parts: only the same one is continued in the middle. */
  readonly id: string;
  /** How many parts there are of each kind. */
  readonly parts: { readonly headers: number; readonly codes: number; readonly states: number };
  /** The option with which an interrupted start is continued, for messages. */
  readonly option: string;
  /**
   * Whether an interrupted start with the same option is given up if it was joining another block: its
   * state is removed, its headers are kept if they are those of earlier blocks. False by default.
   */
  readonly supersedes?: boolean;
  readonly trust: HeaderTrust;
  /** A block that the chain must have, also the part of it that an interrupted start has written. */
  readonly required?: RequiredBlock | undefined;
  /**
   * Headers that stand for all since block 0, at most 256: those before them are not on this chain. By default
   * the headers since block 0 prove the block.
   */
  readonly unproven?: UnprovenHeaders | undefined;
  /**
   * Whether the state is not read: its values are fetched from the origin (`stateOrigins`) when they are needed, and block
   * and receipts are not stored. The parts must be none then.
   */
  readonly isStateElsewhere?: boolean;
  /** Headers in order, from block 0 on, and as many after the block as the engine needs. */
  readHeaders(part: number): Promise<readonly Header[]>;
  readCodes(part: number): Promise<readonly JoinedCode[]>;
  /** A part of the state, in pieces that are written before the next one is read. */
  readStates(part: number): AsyncIterable<JoinedState>;
  /** The block whose state is offered. */
  readBlock(): Promise<JoinedBlock>;
}

/** A wire protocol of a node that has no chain yet. */
export interface JoinProtocol extends OfferedProtocol {
  /** Called for every peer that shares it, once the connection is open. */
  connected(peer: ProtocolPeer): ProtocolSession;
}

/** A database without a chain. */
export interface JoinTarget {
  readonly chainId: bigint;
  readonly networkId: bigint;
  readonly genesis: { readonly json: object; readonly header: SealedHeader };
  readonly finality: Finality;
  /** Why this node cannot join a chain later than at block 0; `undefined` if it can. */
  readonly obstacle: string | undefined;
  /** The block at which joining was interrupted; `undefined` once what was written is removed. */
  readonly interrupted:
    | { readonly number: bigint; readonly hash: Hash; readonly option: string }
    | undefined;
  /** Aborts when the node stops; a later start continues. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The hash of a header by the rules of the chain. */
  hashHeader(header: Header): Hash;
  /**
   * Connects the node to peers with these protocols alone, until it is disposed; `undefined` if the node has no network.
   *
   * Plugins decide about the peers as ever, but without a runtime.
   */
  openNetwork(protocols: readonly JoinProtocol[]): Promise<AsyncDisposable | undefined>;
  /**
   * Verifies a chain by the seals of its headers, and writes it.
   *
   * Rejects with `JoinRefused` if it is not what its headers prove: what was written of it is removed
   * then. Its cause is the reason, such as `TooFewHeaders`. After any other error a later call continues.
   */
  join(chain: OfferedChain): Promise<void>;
}

/** A way to join a chain at a later block than the first, without executing the blocks before it. */
export interface ChainJoin {
  /**
   * Fills a database before it is opened; rejects if that is impossible. Resolves without having called `target.join` if
   * the node is to begin with block 0.
   */
  join(target: JoinTarget): Promise<void>;
  /** Called instead if the database has a chain; throws unless it may be used. */
  found(chain: {
    readonly head: Pick<SealedHeader, "number">;
    /** The block at which it was joined; `undefined` if all of its blocks were executed. */
    readonly joinedAt: bigint | undefined;
  }): void;
}

/** The contribution point of ways to join a chain; the first one is used. */
export const chainJoins = defineContributionPoint<ChainJoin>("chain.join", {
  summary: "A way to join a chain without executing its earlier blocks.",
});
