import { type Call, definePlugin } from "@plinth/core";
import { validatorMethods } from "@plinth/kit-bft";
import { ibftChain } from "@plinth/plugin-consensus-ibft/api";

export default definePlugin({
  name: "rpc-ibft",
  dependencies: { ibft: ibftChain },
  setup({ rpc }) {
    rpc.namespace(
      "ibft",
      validatorMethods(({ ibft }: Call<{ readonly ibft: typeof ibftChain }>) => ibft),
    );
  },
});
