import { method, t } from "@plinth/core";
import type { WorkDesk } from "../work-desk.js";

/** `eth_submitHashrate`: tells how fast a miner outside of the node is. */
export const submitHashrate = (desk: WorkDesk) =>
  method({
    summary: "Notes down how many hashes a miner tries per second, for a minute.",
    params: { rate: t.quantity, id: t.hash },
    result: t.boolean,
    example: { params: ["0x500000", `0x${"ab".repeat(32)}`], result: true },
    handle({ rate, id }) {
      desk.submitRate(id, rate);
      return true;
    },
  });
