import { method, RpcError, t } from "@plinth/core";
import { amount } from "../amount.js";
import { answerable } from "../answerable.js";
import type { DevHolder } from "../dev.js";

const MAX_SECONDS = 86_400n;

/** `anvil_setIntervalMining`: a block every so many seconds, where `evm_setIntervalMining` counts milliseconds. */
export const setIntervalSeconds = (holder: DevHolder) =>
  method({
    summary: "Makes a block every so many seconds, empty ones too; 0 for none.",
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

/** `anvil_getIntervalMining`: how many seconds apart blocks are made. */
export const getIntervalMining = (holder: DevHolder) =>
  method({
    summary: "Returns every how many seconds a block is made; null when none is.",
    result: t.json,
    example: { params: [], result: null },
    handle() {
      const { intervalMs } = holder.current.dev;
      return intervalMs === undefined ? null : intervalMs / 1000;
    },
  });

/** `hardhat_intervalMine`: the block that an interval would make now. */
export const intervalMine = (holder: DevHolder) =>
  method({
    summary: "Makes the block that an interval would make; false while blocks are made at once.",
    result: t.boolean,
    example: { params: [], result: true },
    async handle() {
      const { dev } = holder.current;
      if (dev.isAutomatic) return false;
      await answerable(dev.mine());
      return true;
    },
  });
