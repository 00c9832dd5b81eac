import { method, type Runtime, t } from "@plinth/core";

/** `eth_chainId`: the chain id of the genesis file, null if it has none. */
export const chainId = method({
  summary: "Returns the chain id for which transactions of this chain are signed.",
  result: t.optional(t.quantity),
  example: { params: [], result: "0x539" },
  handle: (_, { chain }: Runtime) => chain.chainId,
});
