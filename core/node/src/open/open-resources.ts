import { ChainStore } from "@plinth/chain";
import { type Logger, loadCrypto, messageOf } from "@plinth/core";
import { type ChainHooks, following } from "@plinth/core/chain";
import { type Genesis, parseGenesis } from "@plinth/core/genesis";
import { chooseDriver } from "@plinth/core/kernel";
import { type NodeKey, nodeKeyDrivers } from "@plinth/core/network";
import { coreOptions } from "../plugin/options.js";
import { findGenesis, type ParsedGenesis } from "./find-genesis.js";
import { makeFolder } from "./make-folder.js";
import {
  chooseStorage,
  type NodeStorage,
  openStorage,
  type StorageSettings,
} from "./open-storage.js";
import { recordScan, type ScannedGenesis } from "./scanned-genesis.js";

/** The resources of an open node: genesis file, database, key. */
export interface NodeResources extends NodeStorage {
  readonly genesis: Genesis;
  /** Of a named network. */
  readonly networkId: bigint | undefined;
  /** `undefined` if no key driver is loaded, or the node follows others. */
  readonly nodeKey: NodeKey | undefined;
  /** Plugins that cannot be disabled while the node runs, with what it uses of each. */
  readonly inUse: Map<string, string>;
}

/** The inputs to open them. */
export interface ResourceSettings extends StorageSettings {
  /** The JSON of a genesis file, instead of the file set by an option. */
  readonly genesis: unknown;
  readonly parsedGenesis: ParsedGenesis | undefined;
  readonly hooks: { readonly chain: Pick<ChainHooks, "genesis" | "opening"> };
  /** Skips the node key, which commands on the database do not need. */
  readonly isOffline: boolean;
  /** Waits for the taps of a hook, up to a limit. */
  readonly inTime: (hook: string, call: Promise<void>) => Promise<void>;
}

/** Opens genesis, storage and node key; if one fails, nothing stays open. */
export async function openResources(settings: ResourceSettings): Promise<NodeResources> {
  await loadCrypto();
  const inUse = new Map<string, string>();
  const { dataPath, fresh: isFresh } = settings.config.valuesOf(coreOptions);
  const { isOffline, inTime } = settings;
  const { opening } = settings.hooks.chain;
  const { driver: storage } = chooseStorage(settings);
  const event = { dataPath, isFresh, isOffline, storage };
  await inTime(opening.name, opening.call(event));
  const found = await findGenesis(settings);
  const { origin, networkId, alloc } = found;
  const { json } = parseGenesis(found.json, origin);
  const { genesis: hook } = settings.hooks.chain;
  const early = parseGenesis(hook.call(json, { findFirst: () => undefined }), origin, alloc);
  const opened = await openStorage(settings, { genesis: early, inUse });
  try {
    if (!settings.isOffline && found.scan !== undefined) {
      const { driver, dataPath } = chooseStorage(settings);
      if (driver.files !== undefined) await recordOrWarn(dataPath, found.scan, settings.log);
    }
    const chain = new ChainStore(opened.store);
    const rewritten = hook.call(json, { findFirst: () => chain.findFirst() });
    const genesis = parseGenesis(rewritten, origin, alloc);
    return {
      genesis,
      networkId,
      ...opened,
      nodeKey: settings.isOffline ? undefined : await openNodeKey(settings, inUse),
      inUse,
    };
  } catch (error) {
    await opened.store.close();
    throw error;
  }
}

/** Without the record, later starts only take longer. */
async function recordOrWarn(dataPath: string, scan: ScannedGenesis, log: Logger): Promise<void> {
  try {
    await recordScan(dataPath, scan);
  } catch (error) {
    log.warn(
      `what was found in the genesis file cannot be recorded, and the next start reads all of it: ${messageOf(error)}`,
    );
  }
}

async function openNodeKey(
  { config, contributions }: ResourceSettings,
  inUse: Map<string, string>,
): Promise<NodeKey | undefined> {
  const { securityModule, dataPath } = config.valuesOf(coreOptions);
  if (contributions.list(following).length > 0) return undefined;
  const isAsked = config.isSet("securityModule");
  if (!isAsked && contributions.list(nodeKeyDrivers).length === 0) return undefined;
  const { plugin, driver } = chooseDriver(contributions, nodeKeyDrivers, securityModule);
  inUse.set(plugin, `the key driver ${driver.name}`);
  await makeFolder(dataPath);
  return driver.open({ dataPath });
}
