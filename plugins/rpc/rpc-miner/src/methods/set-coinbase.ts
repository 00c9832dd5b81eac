import { method, RpcError, type Runtime, t } from "@plinth/core";

/** `miner_setCoinbase`: sets the fee recipient of further blocks. */
export const setCoinbase = method({
  summary: "Sets the fee recipient of blocks from this node.",
  params: { address: t.address },
  result: t.boolean,
  example: { params: ["0xfe3b557e8fb62b89f4916b721be55ceb828dbd73"], result: true },
  handle({ address }, { mining }: Runtime) {
    // Otherwise the engine decides.
    if (mining.isChosen !== true) throw RpcError.invalidRequest();
    mining.coinbase = address;
    return true;
  },
});
