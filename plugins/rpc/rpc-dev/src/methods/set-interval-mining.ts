import { method, RpcError, t } from "@plinth/core";
import { amount } from "../amount.js";
import type { DevHolder } from "../dev.js";

/** One day: a longer interval is a mistake, and timers overflow not far above. */
const MAX_MS = 86_400_000n;

/** `evm_setIntervalMining`: mines a block at an interval in milliseconds. */
export const setIntervalMining = (holder: DevHolder) =>
  method({
    summary: "Mines a block at an interval in milliseconds, even if it is empty; 0 disables it.",
    params: { milliseconds: amount },
    result: t.boolean,
    example: { params: [1000], result: true },
    handle({ milliseconds }) {
      if (milliseconds > MAX_MS) {
        throw RpcError.invalidParams(`milliseconds: ${milliseconds}, at most ${MAX_MS}`);
      }
      holder.current.dev.intervalMs = milliseconds === 0n ? undefined : Number(milliseconds);
      return true;
    },
  });
