import { definePlugin, namedNetworks } from "@plinth/core";
import { networks } from "./networks.js";

export default definePlugin({
  name: "networks-ethereum",
  setup({ contribute }) {
    for (const network of networks) contribute(namedNetworks, network);
  },
});
