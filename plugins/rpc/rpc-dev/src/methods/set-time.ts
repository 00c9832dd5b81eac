import { method, RpcError, t } from "@plinth/core";
import { seconds as span } from "../amount.js";
import type { DevHolder } from "../dev.js";

/** Later times in seconds are thousands of years away: they are milliseconds. */
const MAX_SECONDS = 100_000_000_000n;

/** `evm_setTime`: what the chain's clock shows now; from there it goes on. */
export const setTime = (holder: DevHolder) =>
  method({
    summary: "Sets the chain's clock; returns how many seconds it is ahead in all.",
    params: { timestamp: span },
    result: t.json,
    example: { params: ["0x7b000000"], result: 60 },
    handle({ timestamp }) {
      const { dev, blocks, clock } = holder.current;
      const wanted = timestamp > MAX_SECONDS ? timestamp / 1000n : timestamp;
      const { timestamp: latest } = blocks.head();
      if (wanted < latest) {
        throw RpcError.invalidParams(
          `timestamp: ${wanted} is before the latest block's, ${latest}; the chain's clock never goes back`,
        );
      }
      const offsetSeconds = wanted - BigInt(Math.floor(clock.now() / 1000));
      dev.time = { ...dev.time, offsetSeconds };
      return Number(offsetSeconds);
    },
  });

/** `anvil_setBlockTimestampInterval`: how far apart blocks are, whatever the clock says. */
export const setBlockTimestampInterval = (holder: DevHolder) =>
  method({
    summary: "Puts every block so many seconds after its parent.",
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

/** `anvil_removeBlockTimestampInterval`: blocks follow the clock again. */
export const removeBlockTimestampInterval = (holder: DevHolder) =>
  method({
    summary: "Lets blocks follow the chain's clock again; false when they do already.",
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
