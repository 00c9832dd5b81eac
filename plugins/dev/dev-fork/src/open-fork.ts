import type { Runtime } from "@plinth/core";
import type { DevFork } from "./api.js";
import type { ForkRecord } from "./fork-record.js";

/** Prefix of the extra data of a block that changes accounts. */
const CHANGE = Buffer.from("state-change:");

/** The fork as other plugins see it. */
export function openFork(
  {
    source,
    chainId,
    number,
    hash,
    isLazy = false,
  }: Pick<ForkRecord, "source" | "chainId" | "number" | "hash"> &
    Partial<Pick<ForkRecord, "isLazy">>,
  { chain: { blocks } }: Pick<Runtime, "chain">,
): DevFork {
  return {
    source,
    chainId,
    isLazy,
    block: { number, hash },
    start() {
      const next = blocks.findHeader(number + 1n);
      const isFunding =
        next !== undefined && CHANGE.equals(next.extraData.subarray(0, CHANGE.length));
      return isFunding ? next.hash : hash;
    },
  };
}
