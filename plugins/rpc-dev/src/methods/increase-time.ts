import { method, t } from "@plinth/core";
import { amount } from "../amount.js";
import type { DevHolder } from "../dev.js";

/** `evm_increaseTime`: moves the chain's clock forward. */
export const increaseTime = (holder: DevHolder) =>
  method({
    summary: "Moves the chain's clock forward; returns how many seconds it is ahead in all.",
    params: { seconds: amount },
    result: t.json,
    example: { params: [60], result: "60" },
    handle({ seconds }) {
      const { dev } = holder.current;
      const offsetSeconds = dev.time.offsetSeconds + seconds;
      dev.time = { ...dev.time, offsetSeconds };
      return Number(offsetSeconds);
    },
  });
