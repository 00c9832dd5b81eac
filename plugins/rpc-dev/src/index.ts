import { definePlugin } from "@plinth/core";
import { devChain } from "@plinth/plugin-consensus-dev/api";
import { knownAccounts } from "./api.js";
import { createMethods } from "./create-methods.js";
import { DevHolder } from "./dev.js";
import { findKnownAccounts } from "./known-accounts.js";
import { options } from "./options.js";
import { createReplacements } from "./replacements.js";
import { Senders } from "./senders.js";
import { Snapshots } from "./snapshots.js";
import { verifyOptions } from "./verify-options.js";

export default definePlugin({
  name: "rpc-dev",
  options,
  dependencies: { dev: devChain },
  provides: [knownAccounts],
  setup({ config, hooks, onStart, rpc, services }) {
    verifyOptions(config);
    const holder = new DevHolder();
    const { evm, shared, eth, personal } = createMethods(holder, new Snapshots());
    rpc.namespace("eth", eth);
    rpc.namespace("personal", personal);
    rpc.namespace("evm", evm);
    rpc.namespace("hardhat", shared);
    rpc.namespace("anvil", { ...evm, ...shared });

    const replacements = createReplacements(holder, { clientVersion: config.devClientVersion });
    hooks.rpc.method.tap((method, { namespace, name }) =>
      replacements[`${namespace}_${name}`]?.(method),
    );
    services.provide(knownAccounts, ({ chain }) => findKnownAccounts(chain.genesis));
    onStart(({ chain, pool, query, compatibility, dev }) => {
      const unlocked = config.devUnlockedAccounts ? findKnownAccounts(chain.genesis) : [];
      const senders = new Senders(unlocked);
      if (config.noMining) dev.isAutomatic = false;
      holder.open({ chain, pool, query, compatibility, dev, blocks: chain.blocks, senders });
    });
  },
});
