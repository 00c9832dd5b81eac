import { method, RpcError, type Runtime, t } from "@plinth/core";

/** The minimum gas limit of a block. */
const LEAST_GAS_LIMIT = 5000;

/** `miner_changeTargetGasLimit`: the gas limit that blocks approach from now on. */
export const changeTargetGasLimit = method({
  summary: "Sets the gas limit that the blocks of this node approach.",
  params: { gasLimit: t.withText(t.integer(), "Invalid target gas limit params") },
  result: t.text,
  example: { params: [30_000_000], result: "Success" },
  handle({ gasLimit }, runtime: Runtime) {
    const building = runtime.building;
    if (gasLimit < LEAST_GAS_LIMIT) {
      throw new RpcError(
        -32011,
        "The node is not attempting to target a gas limit so the target can't be changed",
      );
    }
    building.targetGasLimit = BigInt(gasLimit);
    return "Success";
  },
});
