import { type Call, type Hash, method, t } from "@plinth/core";
import {
  getPrivacy,
  LOST_PAYLOAD,
  type MarkerPlace,
  type PrivateReceipt,
  UNKNOWN_GROUP,
} from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { findPrivateTransaction } from "../found-transaction.js";

/** The stages of a private transaction. */
interface TransactionStatus {
  readonly status:
    | "unknown"
    | "submitted"
    | "mined"
    | "delivered"
    | "executed"
    | "failed"
    | "not a party";
  /** What it is waiting for, or why it failed. */
  readonly reason?: string | undefined;
  readonly blockNumber?: bigint;
}

/** `plinth_privateTransactionStatus`: the stage of a private transaction. */
export const privateTransactionStatus = method({
  summary:
    "Returns the stage of the private transaction behind a marker: submitted, mined, delivered, executed or failed, and why.",
  params: { transaction: t.hash },
  result: t.object({
    status: t.text,
    reason: t.optional(t.text),
    blockNumber: t.optional(t.quantity),
  }),
  example: {
    params: [`0x${"ab".repeat(32)}`],
    result: { status: "executed", blockNumber: "0x10" },
  },
  async handle({ transaction }, call: Call<typeof dependencies>) {
    const { status, reason, blockNumber } = await statusOf(transaction, call);
    return { status, reason, blockNumber };
  },
});

async function statusOf(hash: Hash, call: Call<typeof dependencies>): Promise<TransactionStatus> {
  const node = getPrivacy(call.privacy);
  if (call.pool.find(hash) !== undefined) return { status: "submitted" };
  const place = node.findMarker(hash);
  if (place === undefined || node.payloadKeyAt(place) === undefined) return { status: "unknown" };
  const { header } = place.block;
  const blockNumber = header.number;
  const { executor, store } = node;
  const { waiting, manager, groups } = executor.status();
  const at = { blockHash: header.hash, index: place.index };
  const stage = executor.stageOf(header.number, at);
  if (stage === "mined") {
    const reason = waiting && `waiting for the manager ${manager}: ${waiting.reason}`;
    return { status: "mined", reason, blockNumber };
  }
  const isTenant = node.nodeKey === undefined;
  if (isTenant && (await findPrivateTransaction(hash, call)) === undefined) {
    return { status: "not a party", blockNumber };
  }
  if (stage === "delivered") {
    const held = groups.find((group) => group.held?.marker === hash)?.held;
    return { status: "delivered", reason: held?.reason, blockNumber };
  }
  const receipt =
    store.findReceipt(header.hash, hash) ?? (await findPastReceipt(hash, place, call));
  if (receipt === undefined) {
    const { unknownGroup, isLost } =
      node.unresolved.find({ number: blockNumber, index: place.index }) ?? {};
    if (unknownGroup !== undefined) return { status: "failed", reason: UNKNOWN_GROUP, blockNumber };
    if (isLost) return { status: "failed", reason: LOST_PAYLOAD, blockNumber };
    return { status: "not a party", blockNumber };
  }
  if (receipt.status === 1) return { status: "executed", blockNumber };
  return { status: "failed", reason: receipt.failure, blockNumber };
}

/** The result of a transaction of a flexible group from before this node was a member. */
async function findPastReceipt(
  hash: Hash,
  { block }: MarkerPlace,
  call: Call<typeof dependencies>,
): Promise<PrivateReceipt | undefined> {
  const node = getPrivacy(call.privacy);
  const found = node.isFlexible ? await findPrivateTransaction(hash, call) : undefined;
  return found && node.store.findReceipt(block.header.hash, hash, found.group);
}
