import { method, type Runtime, t } from "@plinth/core";
import { p2pDisabled } from "../p2p-disabled.js";

/** `net_peerCount`: how many nodes are connected. */
export const peerCount = method({
  summary: "Returns how many other nodes are connected.",
  result: t.quantity,
  example: { params: [], result: "0x0" },
  handle(_, { network }: Runtime) {
    if (!network.isEnabled) throw p2pDisabled();
    return BigInt(network.peers().length);
  },
});
