import { method, t } from "@plinth/core";
import type { RemoteSealer } from "../remote-sealer.js";

/** `eth_submitHashrate`: reports the hash rate of an external miner. */
export const submitHashrate = (sealer: RemoteSealer) =>
  method({
    summary: "Notes down how many hashes a miner tries per second, for a minute.",
    params: { rate: t.quantity, id: t.hash },
    result: t.boolean,
    example: { params: ["0x500000", `0x${"ab".repeat(32)}`], result: true },
    handle({ rate, id }) {
      sealer.submitRate(id, rate);
      return true;
    },
  });
