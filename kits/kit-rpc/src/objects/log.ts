import { type Compatibility, toHex, toQuantity } from "@plinth/core";
import { differencesOf } from "../differences.js";
import type { PlacedLog } from "../logs/placed-log.js";

/** A log as callers see it. */
export function logObject(
  { log, header, isRemoved, ...place }: PlacedLog,
  compatibility: Compatibility,
) {
  return {
    address: log.address,
    topics: log.topics,
    data: toHex(log.data),
    blockNumber: toQuantity(header.number),
    transactionHash: place.transactionHash,
    transactionIndex: toQuantity(place.transactionIndex),
    blockHash: header.hash,
    ...(differencesOf(compatibility).showsBlockTimestamp
      ? { blockTimestamp: toQuantity(header.timestamp) }
      : {}),
    logIndex: toQuantity(place.logIndex),
    removed: isRemoved,
  };
}
