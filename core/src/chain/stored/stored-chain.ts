import { type SealedHeader, sealHeader } from "../../blocks/header.js";
import type { ConsensusEngine } from "../../consensus/engine.js";
import { ConfigError, messageOf } from "../../kernel/errors.js";
import type { Logger } from "../../kernel/log.js";
import type { KeyValueStore, StorageDriver, StorageFiles } from "../../storage/store.js";
import { ChainStore } from "../chain-store.js";
import { buildGenesisBlock, genesisBody } from "../genesis/genesis-block.js";
import type { ForkSchedule } from "../rules/forks.js";
import { StateStore } from "../state/state-store.js";
import { type VerifiedBlock, verifyBlocks } from "../verify/verify-blocks.js";
import { StateWalk, type VerifiedNode } from "../verify/verify-state.js";
import type { HeadMarker } from "./head-marker.js";
import { verifyMarkedHead } from "./verify-marked-head.js";

interface GenesisSource {
  readonly json: object;
  readonly origin: string;
  readonly forks: ForkSchedule;
}

/** The database of a node that does not run: nothing else of the node is opened. */
export class StoredChain {
  readonly folder: string;
  readonly dataPath: string;
  readonly marker: HeadMarker;
  /** Tables of plugins that can be rebuilt from the blocks. */
  readonly derivedTables: ReadonlySet<string>;
  readonly engine: ConsensusEngine;
  readonly #driver: StorageDriver;
  readonly #chainId: bigint | undefined;
  readonly #genesis: GenesisSource;
  readonly #log: Logger;

  constructor(parts: {
    readonly driver: StorageDriver;
    readonly folder: string;
    readonly dataPath: string;
    readonly engine: ConsensusEngine;
    readonly chainId: bigint | undefined;
    readonly marker: HeadMarker;
    readonly genesis: GenesisSource;
    readonly derivedTables: ReadonlySet<string>;
    readonly log: Logger;
  }) {
    this.#log = parts.log;
    this.#genesis = parts.genesis;
    this.folder = parts.folder;
    this.dataPath = parts.dataPath;
    this.marker = parts.marker;
    this.#driver = parts.driver;
    this.engine = parts.engine;
    this.#chainId = parts.chainId;
    this.derivedTables = parts.derivedTables;
  }

  /** What can be done with the files; throws `ConfigError` where the driver has none. */
  get files(): StorageFiles {
    if (this.#driver.files !== undefined) return this.#driver.files;
    throw new ConfigError("STORAGE_WITHOUT_FILES", {
      message: `the storage driver ${this.#driver.name} keeps nothing in files`,
    });
  }

  /** Opens the database for reading; nothing in its folder is changed. */
  openReadOnly(): Promise<KeyValueStore> {
    return this.files.openCopy({ folder: this.folder });
  }

  /** Creates a database in another folder. */
  create(folder: string): Promise<KeyValueStore> {
    return this.#driver.open({ folder });
  }

  /** The head of a database; `undefined` when it is empty or cannot be read. */
  findHead(store: KeyValueStore): SealedHeader | undefined {
    try {
      return new ChainStore(store).findHead();
    } catch {
      // Verification says what is wrong with it.
      return undefined;
    }
  }

  /** Checks every block of the canonical chain. */
  verifyBlocks(store: KeyValueStore): Generator<VerifiedBlock> {
    return verifyBlocks(new ChainStore(store), this.engine);
  }

  /** Checks that a database holds the block that the head marker names. */
  async *verifyMarker(store: KeyValueStore): AsyncGenerator<VerifiedNode> {
    const marked = await this.marker.read(this.#log);
    if (marked === undefined) return;
    const place = {
      folder: this.folder,
      markerPath: this.marker.path,
      waysOut: this.files.waysOut,
    };
    try {
      verifyMarkedHead(new ChainStore(store), marked, place);
      yield { problems: [] };
    } catch (error) {
      yield { problems: [{ where: this.marker.path, problem: messageOf(error) }] };
    }
  }

  /** Checks the state after a block, node by node. */
  verifyState(store: KeyValueStore, { stateRoot }: SealedHeader): Generator<VerifiedNode> {
    return new StateWalk(store).run(stateRoot);
  }

  /** Writes block 0 as the genesis file has it, in case that it was damaged. */
  async writeGenesis(target: KeyValueStore): Promise<void> {
    // Its block 0 has the time of the first start, which only the database knows.
    if (this.engine.beginsNow === true) return;
    const states = new StateStore(target);
    const { header, state } = buildGenesisBlock(this.#genesis.json, { ...this.#genesis, states });
    const sealed = sealHeader(header, this.engine.hashHeader(header));
    const block = { header: sealed, body: genesisBody(header) };
    states.add(state);
    const batch = target.batch();
    const totalDifficulty = header.difficulty;
    new ChainStore(target).putBlock(batch, { block, receipts: [], totalDifficulty });
    const release = states.writeTo(batch);
    await batch.commit();
    release();
  }

  /** Writes the marker that belongs to a database. */
  async markHead(store: KeyValueStore): Promise<void> {
    const chain = new ChainStore(store);
    const head = chain.findHead();
    const genesisHash = chain.findHash(0n);
    if (head === undefined || genesisHash === undefined) return this.marker.remove();
    const { number, hash } = head;
    const { name } = this.#driver;
    const rest = { chainId: this.#chainId, storage: name, format: this.files.format };
    await this.marker.write({ number, hash, genesisHash, ...rest });
  }
}
