import { defineEngine, definePlugin } from "@plinth/core";
import { formatProduced } from "@plinth/core/consensus";
import { namedNetworks } from "@plinth/core/genesis";
import { sealChecks } from "./api.js";
import { devNetwork } from "./dev-network.js";
import { EthashEngine } from "./engine.js";
import { sharedEpochs } from "./epochs.js";
import { HashMeter } from "./hash-meter.js";
import { createWorkMethods } from "./methods/index.js";
import { RemoteSealer } from "./remote-sealer.js";
import { settings } from "./settings.js";

export default definePlugin({
  name: "consensus-ethash",
  activation: {},
  setup({ consensus, contribute, hooks, log, rpc }) {
    let isChosen = false;
    const sealer = new RemoteSealer();
    const meter = new HashMeter();
    const parts = { epochs: sharedEpochs, seals: { isEnabled: true }, sealer, meter };
    consensus.engine(
      defineEngine({
        key: "ethash",
        settings,
        precedence: 1,
        isDefault: true,
        mergesByTime: true,
        minesOnRequest: true,
        create(context) {
          isChosen = true;
          sealer.open();
          return new EthashEngine(context, parts);
        },
      }),
    );
    hooks.consensus.sealed.tap(({ block, timing }) => {
      if (isChosen) log.info(formatProduced(block, timing));
    });
    contribute(namedNetworks, devNetwork);
    contribute(sealChecks, parts.seals);
    rpc.namespace("eth", createWorkMethods(sealer, meter));
  },
});
