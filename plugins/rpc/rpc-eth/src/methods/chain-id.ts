import { method, type Runtime, t } from "@plinth/core";

/** `eth_chainId`: the chain id of the genesis file, null when it names none. */
export const chainId = method({
  summary: "Returns the chain id that transactions of this chain are signed for.",
  result: t.optional(t.quantity),
  example: { params: [], result: "0x539" },
  handle: (_, { chain }: Runtime) => chain.chainId,
});
