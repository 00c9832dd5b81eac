import { definePlugin, type Runtime } from "@plinth/core";
import { VERSIONS } from "./codec/index.js";
import { EthPeers, ethPeers } from "./eth-peers.js";
import { EthSession } from "./eth-session.js";
import { createSurroundings, type SessionSurroundings } from "./session-surroundings.js";

export default definePlugin({
  name: "protocol-eth",
  provides: [ethPeers],
  setup(node) {
    const peers = new EthPeers();
    let surroundings: SessionSurroundings | undefined;
    const surroundingsOf = (runtime: Runtime) => {
      surroundings ??= createSurroundings(runtime, peers);
      return surroundings;
    };
    node.services.provide(ethPeers, () => peers);
    for (const { version, length } of VERSIONS) {
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
    node.hooks.pool.added.tap(({ transaction }, runtime) => {
      surroundingsOf(runtime).transactionGossip.added(transaction);
    });
  },
});
