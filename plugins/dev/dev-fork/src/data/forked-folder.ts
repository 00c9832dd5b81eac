import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ChainStore, HeadMarker } from "@plinth/chain";
import {
  type Hash,
  keccakHeader,
  type Logger,
  type SealedHeader,
  type StorageDriver,
  StorageError,
} from "@plinth/core";
import type { OpeningEvent } from "@plinth/core/chain";
import type { ForkedFiles } from "@plinth/core/storage";
import { findHeaderForm } from "@plinth/plugin-consensus-dev/api";
import { withDevEngine } from "./data-genesis.js";
import { type DataRecord, dataRecord } from "./data-record.js";
import { DataRefused } from "./data-refused.js";
import { findDatabase, findDatabasesBeside, INCOMPLETE_SUFFIX } from "./find-database.js";
import { isInside } from "./inside.js";

/** The folder of the database in a data folder. */
const DATABASE = "database";
const INCOMPLETE = `${DATABASE}${INCOMPLETE_SUFFIX}`;

/** A chain on the database of a stopped node, of which nothing is changed. */
export class ForkedFolder {
  readonly #source: string | undefined;
  readonly #log: Pick<Logger, "info" | "warn">;
  #record: DataRecord | undefined;
  /** The data folder, if a record in it would be that of a chain that is removed. */
  #unforked: string | undefined;

  /** `source` is the data folder of a node, or a backup; `undefined` without `--fork-data`. */
  constructor(source: string | undefined, log: Pick<Logger, "info" | "warn">) {
    this.#source = source;
    this.#log = log;
  }

  /** The last block of the network; `undefined` if the chain is no such fork. */
  find(): DataRecord | undefined {
    return this.#record;
  }

  /** Makes the database from that of the node, unless an earlier start did. */
  async open({ dataPath, isFresh, isOffline, storage }: OpeningEvent): Promise<void> {
    const hasDatabase = existsSync(join(dataPath, DATABASE));
    const found = hasDatabase ? await dataRecord.find(dataPath) : undefined;
    if (this.#source === undefined || isOffline) {
      this.#record = isFresh ? undefined : found;
      const isStale = this.#record === undefined && !isOffline && storage.files !== undefined;
      this.#unforked = isStale ? dataPath : undefined;
      return;
    }
    const source = resolve(this.#source);
    if (isFresh) throw new DataRefused("--fresh would remove it; another --data-path is a new one");
    if (hasDatabase && found?.source !== source) {
      throw new DataRefused(
        `${dataPath} has a chain that is not a fork of ${source}, which was not changed: --data-path=<PATH> names another folder`,
      );
    }
    this.#record = found ?? (await this.#fork(source, { dataPath, storage }));
  }

  /** The genesis file of the network with the engine of a development chain; `undefined` for any other chain. */
  change(genesis: object): object | undefined {
    return this.#record && withDevEngine(genesis, this.#record);
  }

  /** Removes the record of a chain that was removed: it would be taken for that of a later one. */
  async forget(): Promise<void> {
    if (this.#unforked !== undefined) await dataRecord.remove(this.#unforked);
  }

  async #fork(
    source: string,
    { dataPath, storage }: Pick<OpeningEvent, "dataPath" | "storage">,
  ): Promise<DataRecord> {
    if (storage.files === undefined) {
      throw new DataRefused(`--key-value-storage=${storage.name} has no files`);
    }
    const { files } = storage;
    const folder = await findDatabase(source);
    if (await isInside(dataPath, source)) {
      throw new DataRefused(
        `${dataPath} is inside ${source}, in which nothing is changed: --data-path=<PATH> names another folder`,
      );
    }
    // Written before the first of the databases gets its name: those that are here are of an interrupted start.
    const isRepeated = (await dataRecord.find(dataPath))?.source === source;
    const to = join(dataPath, INCOMPLETE);
    await mkdir(dataPath, { recursive: true });
    const fork = async (from: string, into: string) => {
      await rm(into, { recursive: true, force: true });
      return files.fork({ folder: from, to: into }).catch((error: unknown) => {
        throw explain(error, source);
      });
    };
    const forked = [await fork(folder, to)];
    const beside = await findDatabasesBeside(source);
    for (const name of beside) {
      if (existsSync(join(dataPath, name)) && !isRepeated) {
        throw new DataRefused(
          `${join(dataPath, name)} exists, which would be replaced: --data-path=<PATH> names another folder`,
        );
      }
      forked.push(await fork(join(source, name), join(dataPath, `${name}${INCOMPLETE_SUFFIX}`)));
    }
    const linked = this.#describe(source, forked);
    const { genesisHash, ...head } = await readHead(to, storage);
    const record = { source, ...head };
    await dataRecord.write(dataPath, record);
    await new HeadMarker(dataPath).write({
      ...head,
      genesisHash,
      chainId: undefined,
      storage: storage.name,
      format: storage.files.format,
      isDisposable: true,
    });
    for (const name of beside) {
      await rm(join(dataPath, name), { recursive: true, force: true });
      await rename(join(dataPath, `${name}${INCOMPLETE_SUFFIX}`), join(dataPath, name));
    }
    await rename(to, join(dataPath, DATABASE));
    this.#log.info(
      `Forked ${source} at block ${record.number} (${record.hash}): ${linked} files are shared with it until they are replaced here`,
    );
    return record;
  }

  /** The number of shared files; a notice if some had to be copied. */
  #describe(source: string, forked: readonly ForkedFiles[]): number {
    const sumOf = (key: keyof ForkedFiles) => forked.reduce((sum, each) => sum + each[key], 0);
    if (sumOf("copied") > 0) {
      const mib = Math.ceil(sumOf("bytes") / 2 ** 20);
      this.#log.warn(
        `${source} is on a file system whose files cannot be linked here: ${sumOf("copied")} files (${mib} MiB) were copied`,
      );
    }
    return sumOf("linked");
  }
}

async function readHead(
  folder: string,
  storage: StorageDriver,
): Promise<Omit<DataRecord, "source"> & { readonly genesisHash: Hash }> {
  const store = await storage.open({ folder });
  try {
    const chain = new ChainStore(store);
    const head = chain.findHead();
    const first = chain.findFirst();
    if (head === undefined || first === undefined) {
      throw new DataRefused("the database has no chain");
    }
    // Hashes of block 0 are those of the whole header, on every network that is known.
    if (keccakHeader(first) !== first.hash) throw unknownForm(first);
    const headers = findHeaderForm(head, head.hash);
    if (headers === undefined) throw unknownForm(head);
    return { number: head.number, hash: head.hash, headers, genesisHash: first.hash };
  } finally {
    await store.close();
  }
}

function unknownForm({ number, hash }: SealedHeader): DataRefused {
  return new DataRefused(
    `the hash of block ${number} (${hash}) is computed in a way that development chains do not know`,
  );
}

function explain(error: unknown, source: string): unknown {
  if (!(error instanceof StorageError) || error.code !== "STORAGE_LOCKED") return error;
  return new DataRefused(
    `a node is running on ${source}; stop it, or fork a backup of it (plinth db backup)`,
    error,
  );
}
