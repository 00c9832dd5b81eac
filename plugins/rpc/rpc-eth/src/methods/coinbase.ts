import { type Call, method, RpcError, t } from "@plinth/core";

/** `eth_coinbase`: the fee recipient of blocks that this node produces. */
export const coinbase = method({
  summary: "Returns the fee recipient of blocks that this node produces.",
  result: t.address,
  example: { params: [], result: "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73" },
  async handle(_, call: Call) {
    const found = call.mining.coinbase ?? (call.mining.isChosen ? undefined : await ofEngine(call));
    if (found === undefined) throw new RpcError(-32000, "Coinbase must be explicitly specified");
    return found;
  },
});

/** If the engine decides it, the recipient of the next block. */
async function ofEngine({ production, chain }: Call) {
  return production === undefined
    ? undefined
    : chain.blocks.feeRecipientOf(await chain.blocks.next());
}
