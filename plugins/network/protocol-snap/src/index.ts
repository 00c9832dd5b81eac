import { definePlugin, option } from "@plinth/core";
import { LENGTH } from "./messages.js";
import { SnapSession } from "./snap-session.js";

export default definePlugin({
  name: "protocol-snap",
  options: {
    XsnapsyncServerEnabled: option.flag({
      summary: "Serves recent states to peers, by snap/1.",
      aliases: ["snapsyncServerEnabled"],
    }),
  },
  setup(node) {
    if (!node.config.XsnapsyncServerEnabled) return;
    node.network.protocol({
      name: "snap",
      version: 1,
      length: LENGTH,
      connected: (peer, { chain }) => new SnapSession(peer, chain.blocks),
    });
  },
});
