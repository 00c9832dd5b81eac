import { type Call, method, t } from "@plinth/core";
import { MAX_UINT256 } from "@plinth/core/blocks";
import type { HashMeter } from "../hash-meter.js";
import type { RemoteSealer } from "../remote-sealer.js";

/**
 * `eth_hashrate`: hashes per second of this node and of its external miners; zero if it does not
 * mine.
 */
export const hashrate = (meter: HashMeter, sealer: RemoteSealer) =>
  method({
    summary: "Returns the hash rate of the node in hashes per second.",
    result: t.quantity,
    example: { params: [], result: "0x0" },
    handle(_, { production }: Call) {
      if (production?.isRunning !== true) return 0n;
      const rate = meter.rate() + sealer.rate();
      // External miners may claim any rate.
      return rate > MAX_UINT256 ? MAX_UINT256 : rate;
    },
  });
