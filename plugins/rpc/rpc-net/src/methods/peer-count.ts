import { method, type Runtime, t } from "@plinth/core";
import { p2pDisabled } from "../p2p-disabled.js";

/** `net_peerCount`: number of connected peers. */
export const peerCount = method({
  summary: "Returns the number of connected peers.",
  result: t.quantity,
  example: { params: [], result: "0x0" },
  handle(_, { network }: Runtime) {
    if (!network.isEnabled) throw p2pDisabled();
    return BigInt(network.peers().length);
  },
});
