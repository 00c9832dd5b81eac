import {
  defineEngine,
  definePlugin,
  type EngineContext,
  option,
  unavailable,
  type ValueOf,
} from "@plinth/core";
import { devChain } from "./api.js";
import { beginWith, withBeginning } from "./beginning.js";
import { BlockTime } from "./block-time.js";
import { chooseHardfork } from "./choose-hardfork.js";
import { DevEngine } from "./engine.js";
import { HARDFORKS } from "./hardfork.js";
import { NextBlock } from "./next-block.js";
import { openDevChain } from "./open-dev-chain.js";
import { DevProduction } from "./production.js";
import { settings } from "./settings.js";
import { StateChanges } from "./state-changes.js";
import { Waiting } from "./waiting.js";

/** The end of the year 9999. */
const MAX_SECONDS = 253_402_300_799;

export default definePlugin({
  name: "consensus-dev",
  activation: {},
  options: {
    devPeriodSeconds: option.integer({
      summary:
        "Makes a block every so many seconds; as soon as a transaction arrives when left out.",
      min: 1,
    }),
    devTimestamp: option.integer({
      summary:
        "Time of block 0, in seconds since 1970; the chain's clock goes on from its last block.",
      min: 1,
      max: MAX_SECONDS,
    }),
    devBaseFee: option.wei({ summary: "Base fee of blocks 0 and 1 of a new chain, in wei." }),
    hardfork: option.oneOf(HARDFORKS, {
      summary:
        "Rules of a development chain from its first block on; the newest, or those of its genesis file, when left out.",
    }),
  },
  provides: [devChain],
  setup({ config, consensus, hooks, log, services, storage }) {
    const table = storage.table("changes");
    const changes = new StateChanges(table);
    const waiting = new Waiting();
    const time = new BlockTime();
    const nextBlock = new NextBlock();
    const production = new DevProduction(
      { time, nextBlock },
      {
        idle: () => waiting.settleAll(),
        refused: ({ message }) => log.warn("no block can be made", { reason: message }),
      },
    );
    const { devPeriodSeconds } = config;
    if (devPeriodSeconds !== undefined) {
      production.isAutomatic = false;
      production.intervalMs = devPeriodSeconds * 1000;
    }
    let isChosen = false;
    const create = ({ settings: { beginsNow } }: EngineContext<ValueOf<typeof settings>>) => {
      isChosen = true;
      return new DevEngine({ production, changes, time, nextBlock, beginsNow });
    };
    consensus.engine(
      defineEngine({
        key: "dev",
        settings,
        isDisposable: true,
        create,
      }),
    );
    const beginning = { timestamp: config.devTimestamp, baseFee: config.devBaseFee };
    services.provide(devChain, (runtime) => {
      if (!isChosen) return unavailable("the genesis file names another engine than dev");
      beginWith(beginning, { runtime, time, nextBlock });
      return openDevChain({ runtime, production, changes, time, nextBlock, waiting });
    });
    const { hardfork: asked } = config;
    hooks.chain.genesis.tap((genesis, { findFirst }) => {
      const begun = withBeginning(genesis, beginning);
      return chooseHardfork(begun ?? genesis, { asked, log, findFirst }) ?? begun;
    });
    hooks.pool.added.tap(() => production.wake());
    hooks.chain.commit.tap(({ block, batch }) => {
      if (block === undefined) return;
      const change = changes.take(block.header.extraData);
      if (change !== undefined) batch.put(table, block.header.extraData, change);
    });
    hooks.chain.headChanged.tap(({ added }) => {
      for (const { body } of added) for (const { hash } of body.transactions) waiting.settle(hash);
    });
  },
});
