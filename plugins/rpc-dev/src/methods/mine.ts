import { method, t } from "@plinth/core";
import { amount } from "../amount.js";
import type { DevHolder } from "../dev.js";
import { mineBlocks, verifyTimestamp } from "../mine-blocks.js";

/** What ganache's clients send instead of a time. */
const form = t.object({ blocks: t.optional(amount, 1n), timestamp: t.optional(amount) });

/** `evm_mine`: makes a block now. */
export const mine = (holder: DevHolder) =>
  method({
    summary: "Makes a block now, at a time of the caller's choice.",
    params: { timestamp: t.optional(t.json) },
    result: t.text,
    async handle({ timestamp: json }) {
      const isForm = typeof json === "object" && json !== null;
      const { blocks, timestamp } = isForm
        ? form.decode(json, "timestamp")
        : {
            blocks: 1n,
            timestamp: json === undefined ? undefined : amount.decode(json, "timestamp"),
          };
      const { current } = holder;
      if (timestamp !== undefined) {
        verifyTimestamp(timestamp, current);
        current.dev.time = { ...current.dev.time, next: timestamp };
      }
      await mineBlocks({ count: blocks, seconds: 1n }, current);
      return "0x0";
    },
  });
