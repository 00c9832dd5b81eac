import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";
import { mineBlocks, verifyTimestamp } from "../mine-blocks.js";
import { mineOrder } from "../mine-order.js";

/** `evm_mine`: mines a block now. */
export const mine = (holder: DevHolder) =>
  method({
    summary: "Mines a block now, optionally at a given time.",
    params: { timestamp: t.optional(mineOrder, { blocks: 1n, timestamp: undefined }) },
    result: t.text,
    example: { params: [], result: "0x0" },
    async handle({ timestamp: { blocks, timestamp } }) {
      const { current } = holder;
      if (timestamp !== undefined) {
        verifyTimestamp(timestamp, current);
        current.dev.time = { ...current.dev.time, next: timestamp };
      }
      await mineBlocks({ count: blocks }, current);
      return "0x0";
    },
  });
