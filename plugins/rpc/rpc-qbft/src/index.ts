import { definePlugin } from "@plinth/core";
import { validatorMethods } from "@plinth/kit-bft";
import { qbftChain } from "@plinth/plugin-consensus-qbft/api";
import { getRequestTimeoutSeconds } from "./get-request-timeout-seconds.js";

export default definePlugin({
  name: "rpc-qbft",
  dependencies: { bft: qbftChain },
  setup: ({ rpc }) => rpc.namespace("qbft", { ...validatorMethods, getRequestTimeoutSeconds }),
});
