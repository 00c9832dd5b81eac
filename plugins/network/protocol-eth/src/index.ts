import { definePlugin, type Runtime } from "@plinth/core";
import { EthPeers, ethPeers } from "./eth-peers.js";
import { EthSession } from "./eth-session.js";
import { chooseVersions, options, readLimits, readRequiredBlocks } from "./options.js";
import { createSessionContext, type SessionContext } from "./session-context.js";

export default definePlugin({
  name: "protocol-eth",
  provides: [ethPeers],
  options,
  setup(node) {
    const peers = new EthPeers();
    const requiredBlocks = readRequiredBlocks(node.config.requiredBlocks);
    const limits = readLimits(node.config);
    let context: SessionContext | undefined;
    const surroundingsOf = (runtime: Runtime) => {
      context ??= createSessionContext(runtime, { peers, limits, requiredBlocks });
      return context;
    };
    node.services.provide(ethPeers, () => peers);
    for (const { version, length } of chooseVersions(node.config)) {
      node.network.protocol({
        name: "eth",
        version,
        length,
        connected: (peer, runtime) => new EthSession(peer, surroundingsOf(runtime)),
      });
    }
    node.hooks.chain.imported.tap((event, runtime) => {
      surroundingsOf(runtime).blockGossip.imported(event);
    });
    node.hooks.chain.headChanged.tap((_, runtime) => {
      surroundingsOf(runtime).blockGossip.headChanged();
    });
    node.hooks.pool.added.tap(({ transaction }, runtime) => {
      surroundingsOf(runtime).transactionGossip.added(transaction);
    });
  },
});
