import { HeadMarker, StoredDatabase } from "@plinth/chain";
import type { Clock } from "@plinth/core";
import { loadCrypto } from "@plinth/core";
import type { ChainHooks, GenesisContext, StoredChain } from "@plinth/core/chain";
import { parseGenesis } from "@plinth/core/genesis";
import { chooseEngine } from "../plugin/choose-engine.js";
import { LateEngineChain } from "../plugin/engine-chain.js";
import { OperatorMining } from "../plugin/mining.js";
import { findGenesis, type ParsedGenesis } from "./find-genesis.js";
import { chooseStorage, type StorageSettings } from "./open-storage.js";

/** The inputs to locate the database of a node. */
export interface StoredChainSettings extends StorageSettings {
  readonly genesis: unknown;
  readonly parsedGenesis: ParsedGenesis | undefined;
  readonly clock: Clock;
  readonly derivedTables: ReadonlySet<string>;
  readonly hooks: { readonly chain: Pick<ChainHooks, "genesis" | "opening"> };
  /** Waits for the taps of a hook, up to a limit. */
  readonly inTime: (hook: string, call: Promise<void>) => Promise<void>;
}

/**
 * Locates the database that the options describe, with the engine of its genesis file; opens
 * nothing.
 */
export async function findStoredChain(settings: StoredChainSettings): Promise<StoredChain> {
  await loadCrypto();
  const { contributions, clock, derivedTables, hooks, inTime } = settings;
  const { dataPath, driver, folder } = chooseStorage(settings);
  const { opening } = hooks.chain;
  const event = { dataPath, isFresh: false, isOffline: true, storage: driver };
  await inTime(opening.name, opening.call(event));
  const { json: file, origin, alloc } = await findGenesis(settings);
  const { json } = parseGenesis(file, origin);
  const genesisOf = (context: GenesisContext) =>
    parseGenesis(hooks.chain.genesis.call(json, context), origin, alloc);
  const genesis = genesisOf({ findFirst: () => undefined });
  const mining = new OperatorMining({ isEnabled: false, coinbase: undefined });
  const { engine } = chooseEngine({
    ...genesis,
    clock,
    mining,
    key: undefined,
    // Stored blocks are verified by their hashes and seals alone.
    chain: new LateEngineChain(),
    offered: contributions,
  });
  const marker = new HeadMarker(dataPath);
  return new StoredDatabase({
    driver,
    folder,
    dataPath,
    engine,
    chainId: genesis.chainId,
    marker,
    genesisOf,
    origin,
    derivedTables,
  });
}
