import type { Hash } from "@plinth/core";
import { forwardLogs } from "./forward-logs.js";
import type { OlderBlocks } from "./older-blocks.js";
import type { OlderCall } from "./older-call.js";
import { isUpTo } from "./up-to.js";

/** Returns the result of this chain or of the other node, as JSON. */
type Forwarding = (call: OlderCall) => unknown;

/** Of a block by its number: the other node has those before the fork. */
const byNumber =
  (name: string): Forwarding =>
  async ({ params, older, run, forward, reply }) =>
    isOlder(params[name], older) ? reply(await forward()) : run();

/** Of a block by its hash: one that is not here may be of the other node. */
const byHash =
  (name: string): Forwarding =>
  (call) => {
    const { params, blocks, older, run } = call;
    const header = blocks.findHeader(params[name] as Hash);
    const isHere = header !== undefined && header.number >= older.last;
    return isHere ? run() : forwardUnlessLater(call, "number");
  };

/** Of a transaction by its hash: those of this chain first. */
const byTransaction: Forwarding = async (call) =>
  (await call.run()) ?? forwardUnlessLater(call, "blockNumber");

/** The methods that have results of older blocks. */
export const FORWARDED: Readonly<Record<string, Forwarding>> = {
  eth_getBlockByNumber: byNumber("block"),
  eth_getHeaderByNumber: byNumber("block"),
  eth_getBlockReceipts: byNumber("block"),
  eth_getBlockTransactionCountByNumber: byNumber("block"),
  eth_getTransactionByBlockNumberAndIndex: byNumber("block"),
  eth_getUncleCountByBlockNumber: byNumber("block"),
  eth_getUncleByBlockNumberAndIndex: byNumber("block"),
  eth_getBalance: byNumber("block"),
  eth_getCode: byNumber("block"),
  eth_getStorageAt: byNumber("block"),
  eth_getTransactionCount: byNumber("block"),
  eth_getBlockByHash: byHash("hash"),
  eth_getHeaderByHash: byHash("hash"),
  eth_getTransactionByHash: byTransaction,
  eth_getTransactionReceipt: byTransaction,
  eth_getLogs: forwardLogs,
};

function isOlder(block: unknown, older: OlderBlocks): boolean {
  if (block === "earliest") return true;
  return typeof block === "bigint" && block >= 0n && block < older.last;
}

/** The other node continues as well: its later blocks are not of this chain. */
async function forwardUnlessLater(
  { forward, older, reply }: Pick<OlderCall, "forward" | "older" | "reply">,
  member: "number" | "blockNumber",
): Promise<unknown> {
  const found = await forward();
  return isUpTo(older, Object(found)[member]) ? reply(found) : null;
}
