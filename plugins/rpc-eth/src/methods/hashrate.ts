import { type Call, method, t } from "@plinth/core";

/** `eth_hashrate`: how many hashes this node tries in a second; zero when it does not mine. */
export const hashrate = method({
  summary: "Returns how many hashes the node tries per second.",
  result: t.quantity,
  example: { params: [], result: "0x0" },
  handle: (_, call: Call) => (call.production?.isRunning ? call.chain.blocks.hashRate() : 0n),
});
