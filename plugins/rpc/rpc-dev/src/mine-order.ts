import { type Codec, t } from "@plinth/core";
import { amount, seconds } from "./amount.js";

/** Number of blocks to mine, and the time of the first. */
export interface MineOrder {
  readonly blocks: bigint;
  readonly timestamp: bigint | undefined;
}

/** What Ganache clients send instead of a time. */
const form = t.object({ blocks: t.optional(amount, 1n), timestamp: t.optional(seconds) });

/** A time, or an object with a time and a number of blocks. */
export const mineOrder: Codec<MineOrder> = {
  decode(json, path = "") {
    const isForm = typeof json === "object" && json !== null;
    return isForm ? form.decode(json, path) : { blocks: 1n, timestamp: seconds.decode(json, path) };
  },
  encode: (value) => form.encode(value),
  schema: { type: ["integer", "string", "object"] },
};
