import { defineEngine, definePlugin } from "@plinth/core";
import { sealCheck } from "./api.js";
import { EthashEngine } from "./engine.js";
import { sharedEpochs } from "./epochs.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "consensus-ethash",
  provides: [sealCheck],
  setup({ consensus, services }) {
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
    services.provide(sealCheck, () => parts.seals);
  },
});
