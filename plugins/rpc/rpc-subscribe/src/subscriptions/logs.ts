import { type BlockNumberOrTag, DecodeError } from "@plinth/core";
import { LogMatcher, type LogQuery, logObject } from "@plinth/kit-rpc";
import type { Topic } from "./topic.js";

/** Maximum number of addresses and topics per subscription. */
const MAX_VALUES = 1000;

/**
 * `logs`: every matching log, and again as removed when its block is reverted.
 *
 * Numbers in the range restrict the blocks, tags do not.
 */
export function logs({ criteria, fromBlock, toBlock }: LogQuery): Topic {
  if (criteria.addresses.length + criteria.topics.flat().length > MAX_VALUES) {
    throw new DecodeError("", `at most ${MAX_VALUES} addresses and topics`);
  }
  const matcher = new LogMatcher(criteria);
  const from = numberOr(fromBlock, 0n);
  const to = numberOr(toBlock, undefined);
  return {
    *ofChain(news) {
      for (const { number, logs } of news.logs()) {
        if (number < from || (to !== undefined && number > to)) continue;
        yield* logs.matching(matcher).map((log) => logObject(log, news.compatibility));
      }
    },
  };
}

function numberOr<T>(block: BlockNumberOrTag, otherwise: T): bigint | T {
  return typeof block === "bigint" ? block : otherwise;
}
