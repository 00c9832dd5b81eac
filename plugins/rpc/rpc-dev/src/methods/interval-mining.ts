import { method, RpcError, t } from "@plinth/core";
import { amount } from "../amount.js";
import type { DevHolder } from "../dev.js";
import { withRpcErrors } from "../with-rpc-errors.js";

const MAX_SECONDS = 86_400n;

/**
 * `anvil_setIntervalMining`: mines a block at an interval in seconds (`evm_setIntervalMining` takes
 * milliseconds).
 */
export const setIntervalSeconds = (holder: DevHolder) =>
  method({
    summary: "Mines a block at an interval in seconds, even if it is empty; 0 disables it.",
    params: { seconds: amount },
    result: t.boolean,
    example: { params: [1], result: true },
    handle({ seconds }) {
      if (seconds > MAX_SECONDS) {
        throw RpcError.invalidParams(`seconds: ${seconds}, at most ${MAX_SECONDS}`);
      }
      holder.current.dev.intervalMs = seconds === 0n ? undefined : Number(seconds) * 1000;
      return true;
    },
  });

/** `anvil_getIntervalMining`: the mining interval in seconds. */
export const getIntervalMining = (holder: DevHolder) =>
  method({
    summary: "Returns the mining interval in seconds; null if there is none.",
    result: t.json,
    example: { params: [], result: null },
    handle() {
      const { intervalMs } = holder.current.dev;
      return intervalMs === undefined ? null : intervalMs / 1000;
    },
  });

/** `hardhat_intervalMine`: mines the block that is due at an interval. */
export const intervalMine = (holder: DevHolder) =>
  method({
    summary: "Mines the block that is due at an interval; false while automine is on.",
    result: t.boolean,
    example: { params: [], result: true },
    async handle() {
      const { dev } = holder.current;
      if (dev.isAutomatic) return false;
      await withRpcErrors(dev.mine());
      return true;
    },
  });
