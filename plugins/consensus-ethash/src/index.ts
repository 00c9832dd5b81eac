import { defineEngine, definePlugin, namedNetworks, sealChecks } from "@plinth/core";
import { devNetwork } from "./dev-network.js";
import { EthashEngine } from "./engine.js";
import { sharedEpochs } from "./epochs.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "consensus-ethash",
  setup({ consensus, contribute }) {
    const parts = { epochs: sharedEpochs, seals: { isEnabled: true } };
    consensus.engine(
      defineEngine({
        key: "ethash",
        settings,
        precedence: 1,
        isDefault: true,
        mergesByTime: true,
        minesOnRequest: true,
        create: (context) => new EthashEngine(context, parts),
      }),
    );
    contribute(namedNetworks, devNetwork);
    contribute(sealChecks, parts.seals);
  },
});
