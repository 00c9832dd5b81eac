import {
  blockBodies,
  blockHeaders,
  blockRangeUpdate,
  getBlockBodies,
  getBlockHeaders,
  newBlock,
  newBlockHashes,
} from "./blocks.js";
import { getNodeData, getReceipts, nodeData, receiptsCodec } from "./receipts.js";
import { statusCodec } from "./status.js";
import {
  announcementCodec,
  getPooledTransactions,
  pooledTransactions,
  transactions,
} from "./transactions.js";

/** The supported versions, with the number of their message codes. */
export const VERSIONS = [
  { version: 66, length: 17 },
  { version: 67, length: 17 },
  { version: 68, length: 17 },
  { version: 69, length: 18 },
] as const;

/** Every message of a version. */
export function codecsOf(version: number) {
  return {
    status: statusCodec(version),
    newBlockHashes,
    transactions,
    getBlockHeaders,
    blockHeaders,
    getBlockBodies,
    blockBodies,
    newBlock,
    announcement: announcementCodec(version),
    getPooledTransactions,
    pooledTransactions,
    getReceipts,
    receipts: receiptsCodec(version),
    ...(version === 66 && { getNodeData, nodeData }),
    ...(version >= 69 && { blockRangeUpdate }),
  };
}

/** The messages of a version. */
export type Codecs = ReturnType<typeof codecsOf>;
