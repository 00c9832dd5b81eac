import { method, t } from "@plinth/core";
import { amount, seconds as span } from "../amount.js";
import type { DevHolder } from "../dev.js";
import { mineBlocks } from "../mine-blocks.js";

/** `hardhat_mine`: mines a number of blocks now. */
export const mineMany = (holder: DevHolder) =>
  method({
    summary: "Mines a number of blocks now, at an interval in seconds.",
    params: { count: t.optional(amount, 1n), seconds: t.optional(span) },
    result: t.boolean,
    example: { params: ["0x2", "0x1"], result: true },
    async handle({ count, seconds }) {
      await mineBlocks({ count, seconds }, holder.current);
      return true;
    },
  });
