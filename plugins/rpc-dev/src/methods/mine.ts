import { type Codec, method, t } from "@plinth/core";
import { amount, seconds } from "../amount.js";
import type { DevHolder } from "../dev.js";
import { mineBlocks, verifyTimestamp } from "../mine-blocks.js";

interface Order {
  readonly blocks: bigint;
  readonly timestamp: bigint | undefined;
}

/** What ganache's clients send instead of a time. */
const form = t.object({ blocks: t.optional(amount, 1n), timestamp: t.optional(seconds) });

/** A time, or an object with a time and a number of blocks. */
const order: Codec<Order> = {
  decode(json, path = "") {
    const isForm = typeof json === "object" && json !== null;
    return isForm ? form.decode(json, path) : { blocks: 1n, timestamp: seconds.decode(json, path) };
  },
  encode: (value) => form.encode(value),
  schema: { type: ["integer", "string", "object"] },
};

/** `evm_mine`: makes a block now. */
export const mine = (holder: DevHolder) =>
  method({
    summary: "Makes a block now, at a time of the caller's choice.",
    params: { timestamp: t.optional(order, { blocks: 1n, timestamp: undefined }) },
    result: t.text,
    example: { params: [], result: "0x0" },
    async handle({ timestamp: { blocks, timestamp } }) {
      const { current } = holder;
      if (timestamp !== undefined) {
        verifyTimestamp(timestamp, current);
        current.dev.time = { ...current.dev.time, next: timestamp };
      }
      await mineBlocks({ count: blocks, seconds: 1n }, current);
      return "0x0";
    },
  });
