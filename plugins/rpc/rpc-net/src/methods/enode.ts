import { method, type Runtime, t } from "@plinth/core";
import { formatEnode } from "@plinth/core/network";
import { p2pDisabled } from "../p2p-disabled.js";

/** `net_enode`: the enode URL of this node. */
export const enode = method({
  summary: "Returns the enode URL of this node.",
  result: t.text,
  example: { params: [], result: "enode://ab@127.0.0.1:30303" },
  handle(_, { network }: Runtime) {
    if (network.localNode === undefined) throw p2pDisabled();
    return formatEnode(network.localNode.enode);
  },
});
