import type { SealedHeader } from "../blocks/header.js";
import type { ConsensusEngine } from "../consensus/engine.js";
import type { Hash } from "../primitives/hex.js";
import type { KeyValueStore, StorageFiles } from "../storage/store.js";
import type { VerifiedBlock, VerifiedNode } from "./verified-block.js";

/** The last block that is known to be on the disk, written down outside of the database. */
export interface MarkedHead {
  readonly number: bigint;
  readonly hash: Hash;
  readonly genesisHash: Hash;
  readonly chainId: bigint | undefined;
  /** The storage driver and the version of its format. */
  readonly storage: string;
  readonly format: number;
  /** Whether it is a development chain, whose data may be removed; older programs did not write it. */
  readonly isDisposable?: boolean;
}

/** What a marker says, or why it says nothing. */
export type MarkerContent = MarkedHead | "missing" | "damaged";

/** A file beside the database that says which block was on the disk last. */
export interface StoredMarker {
  readonly path: string;
  read(): Promise<MarkerContent>;
  /** Writes it so that a crash leaves the old one or the new one. */
  write(head: MarkedHead): Promise<void>;
  remove(): Promise<void>;
}

/** The database of a node that does not run: nothing else of the node is opened. */
export interface StoredChain {
  readonly folder: string;
  readonly dataPath: string;
  readonly marker: StoredMarker;
  /** Tables of plugins that can be rebuilt from the blocks. */
  readonly derivedTables: ReadonlySet<string>;
  readonly engine: ConsensusEngine;
  /** What can be done with the files; throws `ConfigError` where the driver has none. */
  readonly files: StorageFiles;
  /** Opens the database for reading; nothing in its folder is changed. */
  openReadOnly(): Promise<KeyValueStore>;
  /** Creates a database in another folder. */
  create(folder: string): Promise<KeyValueStore>;
  /** The head of a database; `undefined` when it is empty or cannot be read. */
  findHead(store: KeyValueStore): SealedHeader | undefined;
  /** Checks every block of the canonical chain. */
  verifyBlocks(store: KeyValueStore): Generator<VerifiedBlock>;
  /** Throws `GENESIS_MISMATCH` when a database holds the chain of another genesis file. */
  verifyGenesis(store: KeyValueStore, folder: string): Promise<void>;
  /** Throws when a database does not hold the block that the head marker names. */
  verifyMarkedHead(store: KeyValueStore, marked: MarkedHead, folder: string): void;
  /** Throws when a database holds another chain than the head marker names. */
  verifyMarkedChain(store: KeyValueStore, marked: MarkedHead, folder: string): void;
  /** Checks the state after a block, node by node. */
  verifyState(store: KeyValueStore, header: SealedHeader): Generator<VerifiedNode>;
  /** Writes block 0 as the genesis file has it, in case that it was damaged. */
  writeGenesis(target: KeyValueStore): Promise<void>;
  /** What a marker of a database says; `undefined` where there is no block. */
  describeHead(store: KeyValueStore): MarkedHead | undefined;
}
