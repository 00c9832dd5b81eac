import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ChainStore, HeadMarker, verifyMarkedHead } from "@plinth/chain";
import {
  ConfigError,
  type KeyValueStore,
  type Logger,
  messageOf,
  type SealedHeader,
  type StorageDriver,
  StorageError,
} from "@plinth/core";
import type { MarkedHead, MarkerContent } from "@plinth/core/chain";
import { engines } from "@plinth/core/consensus";
import type { Genesis } from "@plinth/core/genesis";
import { type Configuration, type Contributions, chooseDriver } from "@plinth/core/kernel";
import {
  type StorageFiles,
  type SyncedStore,
  storageDrivers,
  syncWrites,
} from "@plinth/core/storage";
import { coreOptions, isRocksdb } from "../plugin/options.js";
import { CORE } from "../plugin/prepare.js";
import { describeLoss } from "./describe-loss.js";
import { makeFolder } from "./make-folder.js";

/** The inputs to open storage. */
export interface StorageSettings {
  readonly config: Configuration;
  readonly contributions: Contributions;
  readonly log: Logger;
}

/** The open database of a node. */
export interface NodeStorage {
  readonly store: KeyValueStore;
  /** The name of the driver that opened it. */
  readonly storage: string;
  /** Opens another database beside it, in a folder of that name. */
  openStore(name: string): Promise<KeyValueStore>;
  /**
   * From now on records the head of the chain outside the database, whenever it has been synced.
   */
  followHead(blocks: { head(): SealedHeader }): void;
}

/** The selected driver, and the folder of its database. */
export interface ChosenStorage {
  readonly plugin: string;
  readonly driver: StorageDriver;
  readonly folder: string;
  readonly dataPath: string;
}

/** Opens the selected database; throws if it does not match the head marker. */
export async function openStorage(
  settings: StorageSettings,
  on: {
    readonly genesis: Genesis;
    readonly inUse: Map<string, string>;
  },
): Promise<NodeStorage> {
  const { genesis, inUse } = on;
  const { chainId } = genesis;
  const { config, contributions, log } = settings;
  const { fresh, syncWrites: mode } = config.valuesOf(coreOptions);
  const chosen = chooseStorage(settings);
  const { plugin, driver, dataPath } = chosen;
  inUse.set(plugin, `the storage driver ${driver.name}`);
  if (plugin !== CORE) await makeFolder(dataPath);
  const marker = new HeadMarker(dataPath);
  const isDisposable = isDevelopmentChain(genesis, contributions);
  if (fresh && !isDisposable) throw freshRefused("this is not one");
  if (fresh) await removeData(chosen, marker);
  const read = driver.files && (await readMarker(marker, driver.files));
  const marked = typeof read === "object" ? read : undefined;
  const opened = await openOrExplain(chosen, marked);
  const openStore = (name: string) => driver.open({ folder: join(dataPath, name) });
  const unmarked = { storage: driver.name, openStore, followHead() {} };
  if (opened.sync === undefined) return { store: opened, ...unmarked };
  const store = syncWrites(opened, mode);
  if (driver.files === undefined) return { store, ...unmarked };
  await verifyBegun(store, chosen);
  if (typeof read === "string") warnWithoutMarker(new ChainStore(store), { read, marker, log });
  if (marked !== undefined) await verifyOrClose(store, marked, { ...chosen, marker, chainId });
  const kind = { storage: driver.name, format: driver.files.format, isDisposable };
  return {
    store,
    storage: driver.name,
    openStore,
    followHead: (blocks) => followHead({ store, blocks, marker, log, chain: { chainId, ...kind } }),
  };
}

/** Finds the selected driver and folder. */
export function chooseStorage({
  config,
  contributions,
}: Pick<StorageSettings, "config" | "contributions">): ChosenStorage {
  const { keyValueStorage, dataPath } = config.valuesOf(coreOptions);
  const chosen = chooseDriver(contributions, storageDrivers, storageName(keyValueStorage));
  return { ...chosen, dataPath, folder: join(dataPath, "database") };
}

/** A damaged database must not be taken for a new one. */
async function verifyBegun(store: KeyValueStore, { driver, folder }: ChosenStorage): Promise<void> {
  try {
    new ChainStore(store).isEmpty();
  } catch (error) {
    await store.close();
    if (!isDamaged(error)) throw error;
    throw new StorageError(error.code, {
      ...error.details,
      message: `${folder}: ${error.message}. Nothing was changed. ${driver.files?.waysOut ?? ""}`,
      cause: error,
    });
  }
}

async function verifyOrClose(
  store: KeyValueStore,
  marked: MarkedHead,
  {
    driver,
    folder,
    marker,
    chainId,
  }: ChosenStorage & { readonly marker: HeadMarker; readonly chainId: bigint | undefined },
): Promise<void> {
  const place = {
    folder,
    waysOut: driver.files?.waysOut ?? "",
    markerPath: marker.path,
    chainId,
  };
  try {
    verifyMarkedHead(new ChainStore(store), marked, place);
  } catch (error) {
    await store.close();
    throw error;
  }
}

function followHead(on: {
  readonly store: SyncedStore;
  readonly blocks: { head(): SealedHeader };
  readonly marker: HeadMarker;
  readonly log: Logger;
  readonly chain: Omit<MarkedHead, "number" | "hash" | "genesisHash">;
}): void {
  const { store, blocks, marker, log, chain } = on;
  const genesisHash = new ChainStore(store).findHash(0n) ?? "0x";
  let hasFailed = false;
  store.followSyncs(() => {
    const { number, hash } = blocks.head();
    return async () => {
      try {
        await marker.write({ number, hash, genesisHash, ...chain });
        hasFailed = false;
      } catch (error) {
        // The block itself is safe; an older marker only detects less.
        if (!hasFailed) log.warn(`${marker.path} cannot be written: ${messageOf(error)}`);
        hasFailed = true;
      }
    };
  });
}

/** Without its marker, a database may have lost its latest blocks undetected. */
function warnWithoutMarker(
  chain: ChainStore,
  on: { readonly read: "missing" | "damaged"; readonly marker: HeadMarker; readonly log: Logger },
): void {
  if (on.read === "missing" && chain.findHash(0n) === undefined) return;
  on.log.warn(
    `${on.marker.path} is ${on.read}: this start cannot detect lost blocks. It is written again with the next block`,
  );
}

async function readMarker(marker: HeadMarker, { format }: StorageFiles): Promise<MarkerContent> {
  const marked = await marker.read();
  if (typeof marked === "string" || marked.format <= format) return marked;
  throw new StorageError("STORAGE_FORMAT", {
    message: `${marker.path} states that the database has format ${marked.format}, but this program supports ${format} and older; run the program that wrote it, or choose another --data-path`,
  });
}

/** Opens a database; if it is damaged, the message names the affected blocks. */
async function openOrExplain(
  { driver, folder }: ChosenStorage,
  marked: MarkedHead | undefined,
): Promise<KeyValueStore> {
  try {
    return await driver.open({ folder });
  } catch (error) {
    if (!isDamaged(error)) throw error;
    const loss = await describeLoss(driver, { folder }, marked);
    throw new StorageError(error.code, {
      ...error.details,
      message: `${error.message}.${loss}`,
      cause: error,
    });
  }
}

function isDamaged(error: unknown): error is StorageError {
  return error instanceof StorageError && error.code === "STORAGE_DAMAGED";
}

/** Rejects an open database and one that is not of a development chain. */
async function removeData(chosen: ChosenStorage, marker: HeadMarker): Promise<void> {
  await using claim = await claimData(chosen);
  await verifyMarkedDisposable(marker);
  // First, so that an interruption does not leave a marker without its database.
  await marker.remove();
  if (claim === undefined) return;
  // The lock is inside: from here on another process finds no database, or a complete new one.
  const aside = `${chosen.folder}.removed`;
  await rm(aside, { recursive: true, force: true });
  await rename(chosen.folder, aside);
  await rm(aside, { recursive: true, force: true });
}

/**
 * Locks the database; without a lock it is opened, which fails while another process has it open.
 */
async function claimData({ driver, folder }: ChosenStorage): Promise<AsyncDisposable | undefined> {
  if (driver.files !== undefined) return driver.files.lockToRemove({ folder });
  if (!existsSync(folder)) return undefined;
  try {
    await (await driver.open({ folder })).close();
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
  return { async [Symbol.asyncDispose]() {} };
}

async function verifyMarkedDisposable(marker: HeadMarker): Promise<void> {
  const marked = await marker.read();
  if (typeof marked === "string" || marked.isDisposable !== false) return;
  throw freshRefused(
    `${marker.path} belongs to another one, with the chain id ${marked.chainId}; choose another --data-path`,
  );
}

function freshRefused(reason: string): ConfigError {
  return new ConfigError("FRESH_REFUSED", {
    message: `--fresh only removes the data of a development chain, and ${reason}`,
    option: "fresh",
  });
}

/** Whether the engine allows removing the data. */
function isDevelopmentChain({ config }: Genesis, contributions: Contributions): boolean {
  const engine = contributions.list(engines).find(({ key }) => Object.hasOwn(config, key));
  return engine?.isDisposable === true;
}

/** The driver name for a value of the option: Besu's database has no driver here. */
export function storageName(name: string): string {
  return isRocksdb(name) ? "leveldb" : name;
}
