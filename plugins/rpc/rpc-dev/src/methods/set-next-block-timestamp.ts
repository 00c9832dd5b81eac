import { method, t } from "@plinth/core";
import { seconds } from "../amount.js";
import type { DevHolder } from "../dev.js";
import { verifyTimestamp } from "../mine-blocks.js";

/** `evm_setNextBlockTimestamp`: sets the time of the next block, from which the clock continues. */
export const setNextBlockTimestamp = (holder: DevHolder) =>
  method({
    summary: "Sets the time of the next block; the chain's clock continues from there.",
    params: { timestamp: seconds },
    result: t.text,
    example: { params: ["0x7b0000000"], result: "0x7b0000000" },
    handle({ timestamp }) {
      const { current } = holder;
      verifyTimestamp(timestamp, current);
      current.dev.time = { ...current.dev.time, next: timestamp };
      return String(timestamp);
    },
  });
