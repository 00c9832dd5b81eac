import { parseGenesis } from "../chain/genesis/genesis.js";
import { readForks } from "../chain/rules/forks.js";
import { HeadMarker } from "../chain/stored/head-marker.js";
import { StoredChain } from "../chain/stored/stored-chain.js";
import type { Clock } from "../kernel/clock.js";
import { loadCrypto } from "../primitives/crypto.js";
import { chooseEngine } from "./choose-engine.js";
import { LateEngineChain } from "./engine-chain.js";
import { findGenesis } from "./find-genesis.js";
import { MiningSettings } from "./mining.js";
import { chooseStorage, type StorageSettings } from "./open-storage.js";

/** What the database of a node is found with. */
export interface StoredChainSettings extends StorageSettings {
  readonly genesis: unknown;
  readonly clock: Clock;
  readonly derivedTables: ReadonlySet<string>;
}

/** Finds the database that the options describe, with the engine of its genesis file; opens nothing. */
export async function findStoredChain(settings: StoredChainSettings): Promise<StoredChain> {
  await loadCrypto();
  const { contributions, clock, derivedTables } = settings;
  const { json, origin } = await findGenesis(settings);
  const { chainId } = parseGenesis(json, origin);
  const config = Object(Reflect.get(Object(json), "config"));
  const forks = readForks(config, Object(json));
  const mining = new MiningSettings({ isEnabled: false, coinbase: undefined });
  const { engine } = chooseEngine({
    config,
    origin,
    forks,
    clock,
    mining,
    key: undefined,
    // Stored blocks are verified by their hashes and seals alone.
    chain: new LateEngineChain(),
    offered: contributions,
  });
  const { driver, folder, dataPath } = chooseStorage(settings);
  const marker = new HeadMarker(dataPath);
  return new StoredChain({
    driver,
    folder,
    dataPath,
    engine,
    chainId,
    marker,
    genesis: { json: Object(json), origin, forks },
    derivedTables,
  });
}
