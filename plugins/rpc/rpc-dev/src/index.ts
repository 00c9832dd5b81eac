import { definePlugin, optional } from "@plinth/core";
import { devChain } from "@plinth/plugin-consensus-dev/api";
import { devFork } from "@plinth/plugin-dev-fork/api";
import { knownAccounts } from "./api.js";
import { createMethods } from "./create-methods.js";
import { DevHolder, pickDev } from "./dev.js";
import { mineUpTo } from "./first-block.js";
import { findKnownAccounts } from "./known-accounts.js";
import { options } from "./options.js";
import { createReplacements } from "./replacements.js";
import { Senders } from "./senders.js";
import { Snapshots } from "./snapshots.js";
import { StateFiles } from "./state-files/state-files.js";
import { verifyOptions } from "./verify-options.js";

export default definePlugin({
  name: "rpc-dev",
  options,
  dependencies: { dev: devChain, fork: optional(devFork) },
  provides: [knownAccounts],
  setup({ config, hooks, log, onStart, onStop, rpc, services }) {
    verifyOptions(config);
    const holder = new DevHolder();
    const stateFiles = new StateFiles(config);
    const { evm, hardhat, anvil, eth, personal } = createMethods(holder, new Snapshots());
    rpc.namespace("eth", eth);
    rpc.namespace("personal", personal);
    rpc.namespace("evm", evm);
    rpc.namespace("hardhat", hardhat);
    rpc.namespace("anvil", anvil);

    const replacements = createReplacements(holder, { clientVersion: config.devClientVersion });
    hooks.rpc.method.tap((method, { namespace, name }) =>
      replacements[`${namespace}_${name}`]?.(method),
    );
    services.provide(knownAccounts, ({ chain }) => findKnownAccounts(chain.genesis));
    onStart(async (runtime) => {
      const { chain, dev } = runtime;
      const unlocked = config.devUnlockedAccounts ? findKnownAccounts(chain.genesis) : [];
      const senders = new Senders(unlocked);
      senders.standsInForAll = config.devAutoImpersonate;
      if (config.noMining) dev.isAutomatic = false;
      holder.open({ ...pickDev(runtime), senders });
      await stateFiles.load(holder.current, runtime);
      await mineUpTo(BigInt(config.devNumber), holder.current, runtime);
    });
    onStop(async () => {
      if (holder.isOpen) await stateFiles.dump(holder.current, { log });
    });
  },
});
