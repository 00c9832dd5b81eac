import { Blockchain, ChainStore, EvmPool, openStatesToRead, serialEvm } from "@plinth/chain";
import type { Chain, KeyValueStore, SealedHeader } from "@plinth/core";
import { InvariantError, systemClock } from "@plinth/core";
import { evmDrivers } from "@plinth/core/evm";
import { parseGenesis } from "@plinth/core/genesis";
import { chooseDriver } from "@plinth/core/kernel";
import type { ReaderSettings } from "@plinth/core/query";
import { chooseEngine } from "../plugin/choose-engine.js";
import { LateEngineChain } from "../plugin/engine-chain.js";
import { readMining } from "../plugin/mining.js";
import { coreOptions } from "../plugin/options.js";
import type { PreparedNode } from "../plugin/prepare.js";
import type { Registries } from "../plugin/registries.js";
import { readStateSettings } from "../plugin/state-settings.js";

/** The shared context of all jobs of a reader. */
export interface ReaderContext {
  /** The chain without blocks: each job has its own view. */
  readonly chain: Omit<Chain, "blocks" | "writer">;
  /** The head as the database has it. */
  findHead(): SealedHeader;
  /** Opens the blocks with separate EVMs, whose runs end when `interrupt` throws. */
  openBlocks(interrupt: () => void): Blockchain;
}

/** Selects engine and EVM like the main thread. */
export function openReaderContext(parts: {
  readonly registries: Registries;
  readonly prepared: PreparedNode;
  readonly store: KeyValueStore;
  readonly settings: ReaderSettings;
}): ReaderContext {
  const { registries, prepared, store, settings } = parts;
  const options = prepared.config.valuesOf(coreOptions);
  const genesis = parseGenesis(settings.genesis, settings.origin);
  const { forks, chainId } = genesis;
  const engineChain = new LateEngineChain();
  const { engine } = chooseEngine({
    ...genesis,
    clock: systemClock,
    mining: readMining(options),
    key: undefined,
    chain: engineChain,
    offered: registries.contributions,
  });
  const { driver } = chooseDriver(registries.contributions, evmDrivers, options.evm);
  const { precompiles } = registries.hooks.evm;
  const { maxStackItems } = forks.rules;
  const createEvm = (interrupt: () => void) => () =>
    driver.create({
      chainId: chainId ?? 1n,
      ...(maxStackItems === undefined ? {} : { maxStackItems }),
      interrupt,
      precompilesAt: (fork) => precompiles.call(new Map(), { fork, purpose: "call" }),
    });
  const shared = {
    store,
    states: openStatesToRead(store, readStateSettings(options)),
    engine,
    forks,
    clock: systemClock,
  };
  const findHead = () => {
    const head = new ChainStore(store).findHead();
    if (head === undefined) throw new InvariantError("there is no chain to read");
    return head;
  };
  return {
    chain: { chainId, genesis: genesis.json },
    findHead,
    openBlocks(interrupt) {
      const evm = serialEvm(createEvm(interrupt));
      const replayEvms = new EvmPool(createEvm(interrupt), 1);
      const blocks = Blockchain.read(findHead(), {
        ...shared,
        evm,
        callEvm: evm,
        pluginEvm: evm,
        replayEvms,
        hidesFinality: options.rpcCompatibility === "besu",
        callLimits: { interrupt },
      });
      engineChain.open(blocks);
      return blocks;
    },
  };
}
