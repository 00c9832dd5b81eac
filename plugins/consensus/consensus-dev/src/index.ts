import {
  defineEngine,
  definePlugin,
  type EngineContext,
  unavailable,
  type ValueOf,
} from "@plinth/core";
import { devChain } from "./api.js";
import { beginWith, withBeginning } from "./beginning.js";
import { BlockTime } from "./block-time.js";
import { chooseHardfork } from "./choose-hardfork.js";
import { DevEngine } from "./engine.js";
import { NextBlock } from "./next-block.js";
import { openDevChain } from "./open-dev-chain.js";
import { options } from "./options.js";
import { DevProduction } from "./production.js";
import { settings } from "./settings.js";
import { StateChanges } from "./state-changes.js";
import { Waiting } from "./waiting.js";

export default definePlugin({
  name: "consensus-dev",
  activation: {},
  options,
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
        refused: ({ message }) => log.warn("no block can be produced", { reason: message }),
      },
    );
    const { devPeriodSeconds } = config;
    if (devPeriodSeconds !== undefined) {
      production.isAutomatic = false;
      production.intervalMs = devPeriodSeconds * 1000;
    }
    let isChosen = false;
    const create = ({ settings: chosen }: EngineContext<ValueOf<typeof settings>>) => {
      isChosen = true;
      const { beginsNow, fork } = chosen;
      return new DevEngine({ production, changes, time, nextBlock, beginsNow, fork });
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
      if (!isChosen) return unavailable("the genesis file selects another engine than dev");
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
