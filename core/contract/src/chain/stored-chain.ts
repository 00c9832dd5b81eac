import type { SealedHeader } from "../blocks/header.js";
import type { ConsensusEngine } from "../consensus/engine.js";
import type { Hash } from "../primitives/hex.js";
import type { KeyValueStore, StorageFiles } from "../storage/store.js";
import type { VerifiedBlock, VerifiedNode } from "./verified-block.js";

/** The last block known to be on disk, recorded outside the database. */
export interface MarkedHead {
  readonly number: bigint;
  readonly hash: Hash;
  readonly genesisHash: Hash;
  readonly chainId: bigint | undefined;
  /** The storage driver and the version of its format. */
  readonly storage: string;
  readonly format: number;
  /**
   * Whether it is a development chain, whose data may be removed; absent in markers of older
   * versions.
   */
  readonly isDisposable?: boolean;
}

/** The content of a marker, or why it cannot be read. */
export type MarkerContent = MarkedHead | "missing" | "damaged";

/** A file beside the database that records the last block written to disk. */
export interface StoredMarker {
  readonly path: string;
  read(): Promise<MarkerContent>;
  /** Writes it atomically: a crash leaves the old or the new one. */
  write(head: MarkedHead): Promise<void>;
  remove(): Promise<void>;
}

/** The database of a node that is not running; nothing else of the node is opened. */
export interface StoredChain {
  readonly folder: string;
  readonly dataPath: string;
  readonly marker: StoredMarker;
  /** Plugin tables that can be rebuilt from the blocks. */
  readonly derivedTables: ReadonlySet<string>;
  readonly engine: ConsensusEngine;
  /** Operations on the files; throws `ConfigError` if the driver has none. */
  readonly files: StorageFiles;
  /** Opens the database read-only; nothing in its folder is changed. */
  openReadOnly(): Promise<KeyValueStore>;
  /** Creates a database in another folder. */
  create(folder: string): Promise<KeyValueStore>;
  /** The head of a database; `undefined` if it is empty or cannot be read. */
  findHead(store: KeyValueStore): SealedHeader | undefined;
  /** The first block after block 0 whose body and receipts are kept; 0 if all are. */
  firstRetained(store: KeyValueStore): bigint;
  /** Verifies every block of the canonical chain. */
  verifyBlocks(store: KeyValueStore): Generator<VerifiedBlock>;
  /** Throws `GENESIS_MISMATCH` if a database contains the chain of another genesis file. */
  verifyGenesis(store: KeyValueStore, folder: string): Promise<void>;
  /** Throws if a database does not contain the block of the head marker. */
  verifyMarkedHead(store: KeyValueStore, marked: MarkedHead, folder: string): void;
  /** Throws if a database contains another chain than the head marker. */
  verifyMarkedChain(store: KeyValueStore, marked: MarkedHead, folder: string): void;
  /** Verifies the state after a block, node by node. */
  verifyState(store: KeyValueStore, header: SealedHeader): AsyncGenerator<VerifiedNode>;
  /** Verifies what is stored of earlier states, entry by entry. */
  verifyHistory(store: KeyValueStore, header: SealedHeader): AsyncGenerator<VerifiedNode>;
  /** Block 0 of the genesis file; `undefined` if it has the time of the first start. */
  readGenesis(): Promise<SealedHeader | undefined>;
  /** Rewrites block 0 from the genesis file, in case it was damaged. */
  writeGenesis(target: KeyValueStore): Promise<void>;
  /** Replaces the state of a database that keeps only one by that of block 0. */
  resetState(target: KeyValueStore): Promise<void>;
  /** The head marker for a database; `undefined` if it has no blocks. */
  describeHead(store: KeyValueStore): MarkedHead | undefined;
}
