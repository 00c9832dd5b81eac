import { type Call, method, t } from "@plinth/core";
import { nextBlobFee } from "../fees/fee-history.js";

/** `eth_blobBaseFee`: the blob base fee of the next block; zero before blobs. */
export const blobBaseFee = method({
  summary: "Returns the price of blob gas in the next block.",
  result: t.quantity,
  example: { params: [], result: "0x1" },
  handle: (_, call: Call) => nextBlobFee(call.chain.blocks),
});
