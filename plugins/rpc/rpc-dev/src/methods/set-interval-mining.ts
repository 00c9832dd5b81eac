import { method, RpcError, t } from "@plinth/core";
import { amount } from "../amount.js";
import type { DevHolder } from "../dev.js";

/** A day: a longer wait is a mistake, and timers end not far above. */
const MAX_MS = 86_400_000n;

/** `evm_setIntervalMining`: a block every so many milliseconds. */
export const setIntervalMining = (holder: DevHolder) =>
  method({
    summary: "Makes a block every so many milliseconds, empty ones too; 0 for none.",
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
