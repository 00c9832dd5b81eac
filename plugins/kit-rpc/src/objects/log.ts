import { type Compatibility, type PlacedLog, toHex, toQuantity } from "@plinth/core";

/** A log as callers see it. */
export function logObject(
  { log, header, isRemoved, ...place }: PlacedLog,
  { showsBlockTimestamp }: Compatibility,
) {
  return {
    address: log.address,
    topics: log.topics,
    data: toHex(log.data),
    blockNumber: toQuantity(header.number),
    transactionHash: place.transactionHash,
    transactionIndex: toQuantity(place.transactionIndex),
    blockHash: header.hash,
    ...(showsBlockTimestamp ? { blockTimestamp: toQuantity(header.timestamp) } : {}),
    logIndex: toQuantity(place.logIndex),
    removed: isRemoved,
  };
}
