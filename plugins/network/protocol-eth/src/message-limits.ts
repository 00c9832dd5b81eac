import { PeerError } from "@plinth/core";
import { type Codecs, codecsOf } from "./codec/index.js";

/** Size limits of messages with more than a few fields: decoding takes time. */
const MAX_BYTES: ReadonlyMap<number, number> = new Map(
  Object.entries({
    newBlockHashes: 256 * 1024,
    getBlockBodies: 256 * 1024,
    getReceipts: 256 * 1024,
    getPooledTransactions: 256 * 1024,
    getNodeData: 256 * 1024,
    announcement: 256 * 1024,
    transactions: 4 * 2 ** 20,
    // Responses are accepted only for a request: limited by the transport.
    blockHeaders: 10 * 2 ** 20,
    blockBodies: 10 * 2 ** 20,
    pooledTransactions: 10 * 2 ** 20,
    receipts: 10 * 2 ** 20,
    nodeData: 10 * 2 ** 20,
  } satisfies Partial<Record<keyof Codecs, number>>).flatMap(([name, bytes]) => {
    const codec = codecsOf(66)[name as keyof Codecs];
    return codec === undefined ? [] : [[codec.code, bytes] as const];
  }),
);
const MAX_FIELDS_BYTES = 4 * 1024;

/** Throws unless a message other than a block has an acceptable size. */
export function verifyMessageBytes(code: number, bytes: number): void {
  const limit = MAX_BYTES.get(code) ?? MAX_FIELDS_BYTES;
  if (bytes <= limit) return;
  throw new PeerError(
    "breach-of-protocol",
    `message ${code} has ${bytes} bytes, the limit is ${limit}`,
  );
}
