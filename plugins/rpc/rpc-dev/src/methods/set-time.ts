import { method, RpcError, t } from "@plinth/core";
import { seconds as span } from "../amount.js";
import type { DevHolder } from "../dev.js";

/** Larger values would be thousands of years away in seconds: they are milliseconds. */
const MAX_SECONDS = 100_000_000_000n;

/** `evm_setTime`: sets the chain's clock, which continues from there. */
export const setTime = (holder: DevHolder) =>
  method({
    summary: "Sets the chain's clock; returns by how many seconds it is ahead in total.",
    params: { timestamp: span },
    result: t.json,
    example: { params: ["0x7b000000"], result: 60 },
    handle({ timestamp }) {
      const { dev, blocks, clock } = holder.current;
      const wanted = timestamp > MAX_SECONDS ? timestamp / 1000n : timestamp;
      const { timestamp: latest } = blocks.head();
      if (wanted < latest) {
        throw RpcError.invalidParams(
          `timestamp: ${wanted} is before the latest block's, ${latest}; the chain's clock never goes backwards`,
        );
      }
      const offsetSeconds = wanted - BigInt(Math.floor(clock.now() / 1000));
      dev.time = { ...dev.time, offsetSeconds };
      return Number(offsetSeconds);
    },
  });

/**
 * `anvil_setBlockTimestampInterval`: sets a fixed interval between block timestamps, regardless of
 * the clock.
 */
export const setBlockTimestampInterval = (holder: DevHolder) =>
  method({
    summary: "Sets a fixed interval between block timestamps, in seconds.",
    params: { seconds: span },
    result: t.json,
    example: { params: [12], result: null },
    handle({ seconds }) {
      if (seconds === 0n) throw RpcError.invalidParams("seconds: 0, at least 1");
      const { dev } = holder.current;
      dev.time = { ...dev.time, step: seconds };
      return null;
    },
  });

/** `anvil_removeBlockTimestampInterval`: makes block timestamps follow the clock again. */
export const removeBlockTimestampInterval = (holder: DevHolder) =>
  method({
    summary: "Makes block timestamps follow the chain's clock again; false if they already do.",
    result: t.boolean,
    example: { params: [], result: true },
    handle() {
      const { dev, blocks, clock } = holder.current;
      if (dev.time.step === undefined) return false;
      const ahead = blocks.head().timestamp - BigInt(Math.floor(clock.now() / 1000));
      dev.time = { ...dev.time, step: undefined, offsetSeconds: ahead };
      return true;
    },
  });
