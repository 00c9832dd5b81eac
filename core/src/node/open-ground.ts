import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Genesis, parseGenesis } from "../chain/genesis.js";
import { engines } from "../consensus/engine.js";
import type { Configuration } from "../kernel/config.js";
import type { Contributions } from "../kernel/contributions.js";
import { chooseDriver } from "../kernel/drivers.js";
import { ConfigError, messageOf } from "../kernel/errors.js";
import type { Logger } from "../kernel/log.js";
import { type NodeKey, nodeKeyDrivers } from "../network/node-key.js";
import { storageDrivers } from "../storage/drivers.js";
import type { KeyValueStore, StorageDriver } from "../storage/store.js";
import { findGenesis } from "./find-genesis.js";
import { coreOptions } from "./options.js";
import { CORE } from "./prepare.js";

/** What a node stands on while it is open. */
export interface Ground {
  readonly genesis: Genesis;
  /** The genesis file as it stands, and what messages call it. */
  readonly genesisJson: object;
  readonly origin: string;
  /** Of a network with a name. */
  readonly networkId: bigint | undefined;
  readonly store: KeyValueStore;
  /** The name of the driver that opened it. */
  readonly storage: string;
  /** None when no key driver is loaded. */
  readonly nodeKey: NodeKey | undefined;
  /** What the node uses of whom: plugins that cannot be taken out while it runs. */
  readonly inUse: Map<string, string>;
}

/** What the ground is opened with. */
export interface GroundSettings {
  readonly config: Configuration;
  readonly contributions: Contributions;
  /** The JSON of a genesis file, instead of the file that an option names. */
  readonly genesis: unknown;
  readonly log: Logger;
}

/** Opens genesis, storage and node key; when one fails, nothing stays open. */
export async function openGround(settings: GroundSettings): Promise<Ground> {
  const inUse = new Map<string, string>();
  const { json, origin, networkId } = await findGenesis(settings);
  const genesis = parseGenesis(json, origin);
  const genesisJson = Object(json);
  const { store, storage } = await openStorage(settings, genesisJson, inUse);
  try {
    return {
      genesis,
      genesisJson,
      origin,
      networkId,
      store,
      storage,
      nodeKey: await openNodeKey(settings, inUse),
      inUse,
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openStorage(
  { config, contributions, log }: GroundSettings,
  genesis: object,
  inUse: Map<string, string>,
): Promise<Pick<Ground, "store" | "storage">> {
  const { keyValueStorage, dataPath, fresh } = config.valuesOf(coreOptions);
  const name = storageName(keyValueStorage, log);
  const { plugin, driver } = chooseDriver(contributions, storageDrivers, name);
  inUse.set(plugin, `the storage driver ${driver.name}`);
  if (plugin !== CORE) await makeFolder(dataPath);
  const folder = join(dataPath, "database");
  if (fresh) {
    verifyDisposable(genesis, contributions);
    if (existsSync(folder)) await removeData(driver, folder);
  }
  return { store: await driver.open({ folder }), storage: driver.name };
}

/** The data is opened first: that of a node that runs is refused and stays. */
async function removeData(driver: StorageDriver, folder: string): Promise<void> {
  await (await driver.open({ folder })).close();
  await rm(folder, { recursive: true, force: true });
}

/** Data is removed only where the engine says that nobody minds. */
function verifyDisposable(genesis: object, contributions: Contributions): void {
  const config = Object(Reflect.get(genesis, "config"));
  const engine = contributions.list(engines).find(({ key }) => Object.hasOwn(config, key));
  if (engine?.isDisposable === true) return;
  throw new ConfigError("FRESH_REFUSED", {
    message: "--fresh removes the data of development chains only; this chain is none",
    option: "fresh",
  });
}

async function openNodeKey(
  { config, contributions }: GroundSettings,
  inUse: Map<string, string>,
): Promise<NodeKey | undefined> {
  const { securityModule, dataPath } = config.valuesOf(coreOptions);
  const isAsked = config.isSet("securityModule");
  if (!isAsked && contributions.list(nodeKeyDrivers).length === 0) return undefined;
  const { plugin, driver } = chooseDriver(contributions, nodeKeyDrivers, securityModule);
  inUse.set(plugin, `the key driver ${driver.name}`);
  await makeFolder(dataPath);
  return driver.open({ dataPath });
}

/** Existing command lines name a database that does not exist here. */
function storageName(name: string, log: Logger): string {
  if (name.toLowerCase() !== "rocksdb") return name;
  log.warn("--key-value-storage=rocksdb is taken as leveldb");
  return "leveldb";
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    const isFile = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw new ConfigError("DATA_PATH_INVALID", {
      message: isFile
        ? `${path}: already exists and is not a directory.`
        : `data-path: cannot make the folder ${path}: ${messageOf(error)}`,
      cause: error,
    });
  }
}
