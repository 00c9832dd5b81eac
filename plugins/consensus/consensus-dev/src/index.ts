import {
  defineEngine,
  definePlugin,
  type EngineContext,
  option,
  unavailable,
  type ValueOf,
} from "@plinth/core";
import { devChain } from "./api.js";
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

export default definePlugin({
  name: "consensus-dev",
  activation: {},
  options: {
    devPeriodSeconds: option.integer({
      summary:
        "Makes a block every so many seconds; as soon as a transaction arrives when left out.",
      min: 1,
    }),
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
    services.provide(devChain, (runtime) =>
      isChosen
        ? openDevChain({ runtime, production, changes, time, nextBlock, waiting })
        : unavailable("the genesis file names another engine than dev"),
    );
    const { hardfork: asked } = config;
    hooks.chain.genesis.tap((genesis, { findFirst }) =>
      chooseHardfork(genesis, { asked, log, findFirst }),
    );
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
