import { definePlugin, genesisChecks, namedNetworks } from "@plinth/core";
import { chainIdCheck } from "./chain-id-check.js";
import { networks } from "./networks.js";

export default definePlugin({
  name: "networks-ethereum",
  setup({ contribute }) {
    for (const network of networks) contribute(namedNetworks, network);
    contribute(genesisChecks, chainIdCheck);
  },
});
