import { definePlugin } from "@plinth/core";
import { validatorMethods } from "@plinth/kit-bft";
import { ibftChain } from "@plinth/plugin-consensus-ibft/api";

export default definePlugin({
  name: "rpc-ibft",
  dependencies: { bft: ibftChain },
  setup: ({ rpc }) => rpc.namespace("ibft", validatorMethods),
});
