import {
  ConfigError,
  type ConsensusEngine,
  createMemoryStorageDriver,
  type Hash,
  type KeyValueStore,
  type SealedHeader,
  type StorageDriver,
  StorageError,
} from "@plinth/core";
import { sealHeader } from "@plinth/core/blocks";
import type {
  GenesisContext,
  MarkedHead,
  StoredChain,
  VerifiedBlock,
  VerifiedNode,
} from "@plinth/core/chain";
import type { Genesis } from "@plinth/core/genesis";
import type { StorageFiles } from "@plinth/core/storage";
import { readFormat } from "../flat/state-format.js";
import { beginNow } from "../genesis/begin-now.js";
import { genesisBody, readGenesisHeader } from "../genesis/genesis-block.js";
import { GenesisState } from "../genesis/genesis-state.js";
import { ChainStore } from "../store/chain-store.js";
import { verifyBlocks } from "../verify/verify-blocks.js";
import { verifyHistory } from "../verify/verify-history.js";
import { StateWalk } from "../verify/verify-state.js";
import type { HeadMarker } from "./head-marker.js";
import { verifyMarkedChain, verifyMarkedHead } from "./verify-marked-head.js";

/** The database of a node that is not running; nothing else of the node is opened. */
export class StoredDatabase implements StoredChain {
  readonly folder: string;
  readonly dataPath: string;
  readonly marker: HeadMarker;
  /** Plugin tables that can be rebuilt from the blocks. */
  readonly derivedTables: ReadonlySet<string>;
  readonly engine: ConsensusEngine;
  readonly #driver: StorageDriver;
  readonly #chainId: bigint | undefined;
  readonly #genesisOf: (context: GenesisContext) => Genesis;
  readonly #origin: string;

  constructor(parts: {
    readonly driver: StorageDriver;
    readonly folder: string;
    readonly dataPath: string;
    readonly engine: ConsensusEngine;
    readonly chainId: bigint | undefined;
    readonly marker: HeadMarker;
    /** The genesis file with the timestamp of a database's block 0. */
    readonly genesisOf: (context: GenesisContext) => Genesis;
    readonly origin: string;
    readonly derivedTables: ReadonlySet<string>;
  }) {
    this.#genesisOf = parts.genesisOf;
    this.#origin = parts.origin;
    this.folder = parts.folder;
    this.dataPath = parts.dataPath;
    this.marker = parts.marker;
    this.#driver = parts.driver;
    this.engine = parts.engine;
    this.#chainId = parts.chainId;
    this.derivedTables = parts.derivedTables;
  }

  /** Operations on the files; throws `ConfigError` if the driver has none. */
  get files(): StorageFiles {
    if (this.#driver.files !== undefined) return this.#driver.files;
    throw new ConfigError("STORAGE_WITHOUT_FILES", {
      message: `the storage driver ${this.#driver.name} stores nothing on disk`,
    });
  }

  /** Opens the database read-only; nothing in its folder is changed. */
  openReadOnly(): Promise<KeyValueStore> {
    return this.files.openCopy({ folder: this.folder });
  }

  /** Creates a database in another folder. */
  create(folder: string): Promise<KeyValueStore> {
    return this.#driver.open({ folder });
  }

  /** The head of a database; `undefined` if it is empty or cannot be read. */
  findHead(store: KeyValueStore): SealedHeader | undefined {
    try {
      return new ChainStore(store).findHead();
    } catch {
      // Verification reports the problem.
      return undefined;
    }
  }

  /** The first block after block 0 whose body and receipts are kept; 0 if all are. */
  firstRetained(store: KeyValueStore): bigint {
    return new ChainStore(store).firstRetained();
  }

  /** Verifies every block of the canonical chain. */
  verifyBlocks(store: KeyValueStore): Generator<VerifiedBlock> {
    return verifyBlocks(new ChainStore(store), this.engine);
  }

  /** Throws `GENESIS_MISMATCH` if a database contains the chain of another genesis file. */
  async verifyGenesis(store: KeyValueStore, folder: string): Promise<void> {
    const chain = new ChainStore(store);
    const stored = chain.findHash(0n);
    if (stored === undefined) return;
    const header = await this.#buildGenesis(store, (state) => state.findRoot());
    if (header.hash === stored) return;
    throw new StorageError("GENESIS_MISMATCH", {
      message: `${folder} contains another chain than ${this.#origin}: its block 0 is ${stored}, that of the file ${header.hash}. Nothing was changed. Set the right --genesis-file, or choose another --data-path`,
      folder,
    });
  }

  /** Throws if a database does not contain the block of the head marker. */
  verifyMarkedHead(store: KeyValueStore, marked: MarkedHead, folder: string): void {
    verifyMarkedHead(new ChainStore(store), marked, this.#placeOf(folder));
  }

  /** Throws if a database contains another chain than the head marker. */
  verifyMarkedChain(store: KeyValueStore, marked: MarkedHead, folder: string): void {
    verifyMarkedChain(new ChainStore(store), marked, this.#placeOf(folder));
  }

  /** Verifies the state after a block, node by node. */
  verifyState(store: KeyValueStore, head: SealedHeader): AsyncGenerator<VerifiedNode> {
    return new StateWalk(store).runAll(head);
  }

  /** Verifies what is stored of earlier states, entry by entry. */
  verifyHistory(store: KeyValueStore, head: SealedHeader): AsyncGenerator<VerifiedNode> {
    return verifyHistory(store, head);
  }

  /** Block 0 of the genesis file; `undefined` if it has the time of the first start. */
  async readGenesis(): Promise<SealedHeader | undefined> {
    if (this.engine.beginsNow === true) return undefined;
    const store = await createMemoryStorageDriver().open({ folder: "" });
    return this.#buildGenesis(store, (state) => state.findRoot());
  }

  /** Rewrites block 0 from the genesis file, in case it was damaged. */
  async writeGenesis(target: KeyValueStore): Promise<void> {
    // Its block 0 has the time of the first start, which only the database contains.
    if (this.engine.beginsNow === true) return;
    const isFlat = readFormat(target) === "BONSAI";
    const header = await this.#buildGenesis(target, (state) =>
      // A layout with only one state keeps that of the head.
      isFlat ? state.findRoot() : state.write(),
    );
    const block = { header, body: genesisBody(header) };
    const batch = target.batch();
    const totalDifficulty = header.difficulty;
    new ChainStore(target).putBlock(batch, { block, receipts: [], totalDifficulty });
    await batch.commit();
  }

  /** Replaces the state of a database that keeps only one by that of block 0. */
  async resetState(target: KeyValueStore): Promise<void> {
    await this.#buildGenesis(target, (state) => state.write());
  }

  /** The head marker for a database; `undefined` if it has no blocks. */
  describeHead(store: KeyValueStore): MarkedHead | undefined {
    const genesisHash = new ChainStore(store).findHash(0n);
    const head = this.findHead(store);
    if (head === undefined || genesisHash === undefined) return undefined;
    const { number, hash } = head;
    const { name } = this.#driver;
    const rest = { chainId: this.#chainId, storage: name, format: this.files.format };
    return { number, hash, genesisHash, ...rest };
  }

  #placeOf(folder: string) {
    return {
      folder,
      markerPath: this.marker.path,
      waysOut: this.files.waysOut,
      chainId: this.#chainId,
    };
  }

  async #buildGenesis(
    store: KeyValueStore,
    rootOf: (state: GenesisState) => Promise<Hash>,
  ): Promise<SealedHeader> {
    const chain = new ChainStore(store);
    const genesis = this.#genesisOf({ findFirst: () => chain.findFirst() });
    const { json, origin, forks } = genesis;
    // Only the database contains the start time of its chain; without a block the time does not
    // matter.
    const begun = this.engine.beginsNow === true ? beginNow(json, { chain, nowMs: 0 }) : json;
    const fields = readGenesisHeader(begun, { forks, origin });
    await using state = new GenesisState({ genesis, store, format: readFormat(store) });
    const header = { ...fields, stateRoot: await rootOf(state) };
    return sealHeader(header, this.engine.hashHeader(header));
  }
}
