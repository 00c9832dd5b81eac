import { chooseFormat, GenesisState, readPoolSettings, type StateSettings } from "@plinth/chain";
import type { Clock, KeyValueStore, Logger, OptionValues } from "@plinth/core";
import type { SenderRecovery } from "@plinth/core/blocks";
import {
  type ChainJoin,
  chainJoins,
  following,
  type JoinProtocol,
  readChanges,
  stateOrigins,
} from "@plinth/core/chain";
import { evmDrivers } from "@plinth/core/evm";
import type { Configuration, Contributions } from "@plinth/core/kernel";
import { chooseDriver } from "@plinth/core/kernel";
import { blobProofVerifiers } from "@plinth/core/pool";
import { findInGenesis, verifyFindings } from "../plugin/check-genesis.js";
import { chooseEngine } from "../plugin/choose-engine.js";
import { LateEngineChain } from "../plugin/engine-chain.js";
import { readMining } from "../plugin/mining.js";
import { coreOptions } from "../plugin/options.js";
import { readBlocksRetained, verifyPruning } from "../plugin/pruning-settings.js";
import { describeShortProofs, readStateSettings } from "../plugin/state-settings.js";
import { readBuildPolicy } from "../produce/build-policy.js";
import { Ledger, type LedgerSettings } from "./ledger.js";
import type { NodeResources } from "./open-resources.js";

/** The inputs to open a ledger. */
export interface LedgerSources {
  readonly resources: NodeResources;
  readonly contributions: Contributions;
  readonly hooks: LedgerSettings["hooks"];
  readonly recovery: SenderRecovery;
  readonly clock: Clock;
  readonly config: Configuration;
  readonly log: Logger;
  /** Ignores the persisted pool. */
  readonly isOffline: boolean;
  /** Of a command. */
  readonly join: ChainJoin | undefined;
  /** Ends long work on the database, which a later start continues. */
  readonly signal: AbortSignal;
  readonly networkId: bigint;
  /** Connects a plugin that fills an empty database to peers. */
  readonly openJoinNetwork: (
    plugin: string,
    protocols: readonly JoinProtocol[],
  ) => Promise<AsyncDisposable | undefined>;
  /** Waits for the taps of a hook, up to a limit. */
  readonly inTime: (hook: string, call: Promise<void>) => Promise<void>;
  /** Called continually while a call runs on the main thread: throws to abort it. */
  readonly interruptCall: (() => void) | undefined;
}

/** Opens blocks and pool with the engine of the genesis file and the selected EVM. */
export async function openLedger(sources: LedgerSources): Promise<Ledger> {
  const { resources, contributions, hooks, recovery, clock, config: given, log, inTime } = sources;
  const { signal } = sources;
  const options = given.valuesOf(coreOptions);
  const { genesis, store, inUse } = resources;
  const { json, forks, origin } = genesis;
  const mining = readMining(options);
  const { plugin, driver } = chooseDriver(contributions, evmDrivers, options.evm);
  inUse.set(plugin, `the EVM ${driver.name}`);
  const { maxStackItems } = forks.rules;
  const ofChain = maxStackItems === undefined ? {} : { maxStackItems };
  driver.verify?.(ofChain);
  const chain = new LateEngineChain();
  const chosen = chooseEngine({
    ...genesis,
    clock,
    mining,
    chain,
    key: resources.nodeKey,
    offered: contributions,
    ignoresUnknown: options.XunknownGenesisKeys === "ignore",
  });
  for (const [user, use] of chosen.inUse) inUse.set(user, use);
  mining.isChosen = chosen.minesOnRequest;
  const { engine, keys } = chosen;
  const isSet = (key: string) => given.isSet(key);
  verifyPruning(options, isSet);
  const states = chooseStates(store, options, log);
  const format = chooseFormat(store, states);
  const warning = format === "BONSAI" ? describeShortProofs(states, engine) : undefined;
  if (warning !== undefined) log.warn(warning);
  await using state = new GenesisState({ genesis, store, log, signal, format });
  const nowMs = clock.now();
  const findings = await state.check((accounts) =>
    findInGenesis(genesis, { accounts, chosen, contributions, nowMs }),
  );
  verifyFindings(findings, { origin, log });
  const { engineSelected } = hooks.consensus;
  await inTime(engineSelected.name, engineSelected.call({ engine, keys, genesis: json }));
  const chainId = genesis.chainId ?? 1n;
  const isFollowing = contributions.list(following).length > 0;
  const maxRunMs = options.rpcCallTimeoutSeconds * 1000;
  const building = readBuildPolicy({ options, isSet, forks, engine });
  const pool = readPoolSettings({
    options: { ...options, minGasPrice: building.minGasPrice },
    isSet,
    forks,
    warn: (message) => log.warn(message),
  });
  const ledger = await Ledger.open({
    genesis,
    genesisState: state,
    store,
    join: findJoin(sources),
    signal,
    engine,
    key: resources.nodeKey,
    recovery,
    clock,
    pool,
    findProofVerifier: () => contributions.list(blobProofVerifiers)[0],
    states: {
      ...states,
      changesBlocks: Math.max(0, ...contributions.list(readChanges)),
      origin: contributions.list(stateOrigins)[0],
    },
    blocksRetained: readBlocksRetained(options),
    keepsPool: !sources.isOffline && !isFollowing,
    log,
    building,
    mining,
    enginePlugins: [...chosen.inUse.keys()],
    canProduce: chosen.canProduce && !isFollowing,
    producesAtStart: mining.isEnabled || !chosen.minesOnRequest,
    verifiesOwnBlocks: options.XverifyOwnBlocks,
    reorgLoggingThreshold: options.reorgLoggingThreshold,
    hidesFinality: options.rpcCompatibility === "besu",
    callLimits: {
      interrupt: sources.interruptCall,
      ...(maxRunMs > 0 ? { maxMs: maxRunMs } : {}),
    },
    createEvm: (purpose) =>
      driver.create({
        chainId,
        ...ofChain,
        ...(purpose === "call" && maxRunMs > 0 ? { maxRunMs } : {}),
        ...(purpose === "call" && sources.interruptCall !== undefined
          ? { interrupt: sources.interruptCall }
          : {}),
        precompilesAt: (fork) => hooks.evm.precompiles.call(new Map(), { fork, purpose }),
      }),
    hooks,
  });
  chain.open(ledger.blocks);
  resources.followHead(ledger.blocks);
  return ledger;
}

/** The first way to join a chain, with the connections that it may open. */
function findJoin(sources: LedgerSources) {
  const { contributions, networkId, openJoinNetwork, isOffline, join } = sources;
  if (isOffline) return join && { join, networkId, openNetwork: async () => undefined };
  const [found] = contributions.entries(chainJoins);
  if (found === undefined) return undefined;
  const { plugin, item } = found;
  const openNetwork = (protocols: readonly JoinProtocol[]) => openJoinNetwork(plugin, protocols);
  return { join: item, networkId, openNetwork };
}

/** Besu's option has no effect on a database that keeps every state; --history is refused there. */
function chooseStates(
  store: KeyValueStore,
  options: OptionValues<typeof coreOptions>,
  log: Logger,
): StateSettings {
  const states = readStateSettings(options);
  const isIgnored =
    options.bonsaiLimitTrieLogsEnabled &&
    options.history === "all" &&
    chooseFormat(store, states) === "FOREST";
  if (!isIgnored) return states;
  log.warn(
    "--bonsai-limit-trie-logs-enabled has no effect: the database has the format FOREST, which keeps every state",
  );
  return { ...states, history: undefined };
}
