import { definePlugin, optional, t } from "@plinth/core";
import { bftSettings, bftTransition, registerBft } from "@plinth/kit-bft";
import { signFromOption } from "@plinth/kit-poa";
import { ethPeers } from "@plinth/plugin-protocol-eth/api";
import { ibftChain } from "./api.js";
import { checkIbftGenesis } from "./check-genesis.js";
import { createIbft } from "./create-ibft.js";
import { ibft } from "./dialect.js";
import { ibftExtraData } from "./extra-data.js";
import { codes } from "./messages/form.js";

export default definePlugin({
  name: "consensus-ibft",
  activation: {},
  provides: [ibftChain],
  dependencies: { eth: optional(ethPeers) },
  options: { ibftSignFrom: signFromOption("an IBFT 2.0 validator") },
  setup(node) {
    registerBft(node, {
      codec: ibftExtraData,
      dialect: ibft,
      protocol: { name: "IBF", version: 1, codes },
      namespace: "ibft",
      service: ibftChain,
      settings: t.object(bftSettings),
      transition: t.object(bftTransition),
      precedence: 2,
      // It counts from the previous block, and must exceed the period.
      requestTimeoutSeconds: (periodSeconds) => 2 * periodSeconds + 1,
      signFrom: node.config.ibftSignFrom,
      check: checkIbftGenesis,
      create: createIbft,
    });
  },
});
