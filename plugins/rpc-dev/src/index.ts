import { definePlugin, option } from "@plinth/core";
import { devChain } from "@plinth/plugin-consensus-dev/api";
import { knownAccounts } from "./api.js";
import { createMethods } from "./create-methods.js";
import { DevHolder } from "./dev.js";
import { findKnownAccounts } from "./known-accounts.js";
import { createReplacements } from "./replacements.js";
import { Senders } from "./senders.js";
import { Snapshots } from "./snapshots.js";

export default definePlugin({
  name: "rpc-dev",
  options: {
    devUnlockedAccounts: option.boolean({
      summary: "Signs for the accounts whose keys stand in the genesis file.",
      default: false,
    }),
    devClientVersion: option.text({
      summary: "What web3_clientVersion answers, for tools that look for a name: anvil/v1.0.0.",
    }),
  },
  dependencies: { dev: devChain },
  provides: [knownAccounts],
  setup({ config, hooks, onStart, rpc, services }) {
    const holder = new DevHolder();
    const { evm, shared } = createMethods(holder, new Snapshots());
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
      holder.open({ chain, pool, query, compatibility, dev, blocks: chain.blocks, senders });
    });
  },
});
