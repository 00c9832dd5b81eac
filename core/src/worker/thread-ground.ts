import { Blockchain } from "../chain/blockchain.js";
import { type Chain, openChain } from "../chain/chain.js";
import { readForks } from "../chain/forks.js";
import { parseGenesis } from "../chain/genesis.js";
import { StateStore } from "../chain/state/state-store.js";
import { evmDrivers } from "../evm/evm.js";
import { systemClock } from "../kernel/clock.js";
import { chooseDriver } from "../kernel/drivers.js";
import { chooseEngine } from "../node/choose-engine.js";
import { readMining } from "../node/mining.js";
import { coreOptions } from "../node/options.js";
import type { PreparedNode } from "../node/prepare.js";
import type { Registries } from "../node/registries.js";
import type { KeyValueStore } from "../storage/store.js";
import type { ThreadSettings } from "./messages.js";
import { type EvmLease, ThreadEvms } from "./thread-evms.js";

/** What all jobs of a thread share. */
export interface ThreadGround {
  /** The chain without blocks: each job has a view of its own. */
  readonly chain: Chain;
  readonly evms: ThreadEvms;
  /** Opens the blocks for a job that has taken these EVMs. */
  openBlocks(lease: EvmLease): Blockchain;
}

/** Chooses engine and EVM as the main thread did. */
export function openThreadGround(parts: {
  readonly registries: Registries;
  readonly prepared: PreparedNode;
  readonly store: KeyValueStore;
  readonly settings: ThreadSettings;
}): ThreadGround {
  const { registries, prepared, store, settings } = parts;
  const options = prepared.config.valuesOf(coreOptions);
  const config = Object(Reflect.get(settings.genesis, "config"));
  const forks = readForks(config, settings.genesis);
  const { engine } = chooseEngine({
    config,
    origin: settings.origin,
    forks,
    clock: systemClock,
    mining: readMining(options),
    offered: registries.contributions,
  });
  const { driver } = chooseDriver(registries.contributions, evmDrivers, options.evm);
  const { precompiles } = registries.hooks.evm;
  const evms = new ThreadEvms((interrupt) =>
    driver.create({
      chainId: settings.chainId ?? 1n,
      interrupt,
      precompilesAt: (fork) => precompiles.call(new Map(), { fork, purpose: "call" }),
    }),
  );
  const states = new StateStore(store);
  const shared = { store, states, engine, forks, clock: systemClock };
  return {
    chain: openChain(parseGenesis(settings.genesis, settings.origin), settings.genesis),
    evms,
    openBlocks: ({ evm, pool }) =>
      Blockchain.read({ ...shared, evm, callEvm: evm, pluginEvm: evm, replayEvms: pool }),
  };
}
