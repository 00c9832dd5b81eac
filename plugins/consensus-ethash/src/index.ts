import { defineEngine, definePlugin, namedNetworks } from "@plinth/core";
import { sealCheck } from "./api.js";
import { devNetwork } from "./dev-network.js";
import { EthashEngine } from "./engine.js";
import { sharedEpochs } from "./epochs.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "consensus-ethash",
  provides: [sealCheck],
  setup({ consensus, contribute, services }) {
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
    services.provide(sealCheck, () => parts.seals);
  },
});
