import { method, RpcError, t } from "@plinth/core";
import { MAX_UINT64 } from "@plinth/core/blocks";
import { seconds as span } from "../amount.js";
import type { DevHolder } from "../dev.js";

/** `evm_increaseTime`: advances the chain's clock. */
export const increaseTime = (holder: DevHolder) =>
  method({
    summary: "Advances the chain's clock; returns by how many seconds it is ahead in total.",
    params: { seconds: span },
    result: t.json,
    example: { params: [60], result: "60" },
    async handle({ seconds }) {
      const { dev, blocks } = holder.current;
      const { timestamp } = await blocks.next();
      if (timestamp + seconds > MAX_UINT64) {
        throw RpcError.invalidParams(
          `seconds: ${seconds}: the next block is at ${timestamp}, and the latest possible time is ${MAX_UINT64}`,
        );
      }
      const offsetSeconds = dev.time.offsetSeconds + seconds;
      dev.time = { ...dev.time, offsetSeconds };
      return Number(offsetSeconds);
    },
  });
