import { type Call, method, t } from "@plinth/core";

/** `eth_baseFee`: the base fee of the next block, null before London. */
export const baseFee = method({
  summary: "Returns the base fee of the next block.",
  absentIn: "besu",
  result: t.optional(t.quantity),
  example: { params: [], result: "0x7" },
  handle: (_, { chain: { blocks } }: Call) => blocks.baseFeeAfter(blocks.head()),
});
