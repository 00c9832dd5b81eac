import { defineEngine, definePlugin, namedNetworks, sealChecks } from "@plinth/core";
import { devNetwork } from "./dev-network.js";
import { EthashEngine } from "./engine.js";
import { sharedEpochs } from "./epochs.js";
import { createWorkMethods } from "./methods/index.js";
import { settings } from "./settings.js";
import { WorkDesk } from "./work-desk.js";

export default definePlugin({
  name: "consensus-ethash",
  setup({ consensus, contribute, rpc }) {
    const desk = new WorkDesk();
    const parts = { epochs: sharedEpochs, seals: { isEnabled: true }, desk };
    consensus.engine(
      defineEngine({
        key: "ethash",
        settings,
        precedence: 1,
        isDefault: true,
        mergesByTime: true,
        minesOnRequest: true,
        create(context) {
          desk.open();
          return new EthashEngine(context, parts);
        },
      }),
    );
    contribute(namedNetworks, devNetwork);
    contribute(sealChecks, parts.seals);
    rpc.namespace("eth", createWorkMethods(desk));
  },
});
