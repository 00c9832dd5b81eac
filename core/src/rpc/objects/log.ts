import type { PlacedLog } from "../../blocks/placed-log.js";
import { toHex } from "../../primitives/hex.js";
import type { Compatibility } from "../compatibility.js";
import { toQuantity } from "./quantity.js";

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
