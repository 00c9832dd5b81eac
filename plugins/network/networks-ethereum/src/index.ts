import { definePlugin } from "@plinth/core";
import { genesisChecks } from "@plinth/core/consensus";
import { namedNetworks } from "@plinth/core/genesis";
import { chainIdCheck } from "./chain-id-check.js";
import { networks } from "./networks.js";

export default definePlugin({
  name: "networks-ethereum",
  setup({ contribute }) {
    for (const network of networks) contribute(namedNetworks, network);
    contribute(genesisChecks, chainIdCheck);
  },
});
