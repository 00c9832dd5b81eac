import { type Call, method, t } from "@plinth/core";
import { blocksOf } from "@plinth/kit-rpc";

/** `eth_hashrate`: how many hashes this node tries in a second; zero when it does not mine. */
export const hashrate = method({
  summary: "Returns how many hashes the node tries per second.",
  result: t.quantity,
  example: { params: [], result: "0x0" },
  handle: (_, call: Call) => (call.production?.isRunning ? blocksOf(call).hashRate() : 0n),
});
