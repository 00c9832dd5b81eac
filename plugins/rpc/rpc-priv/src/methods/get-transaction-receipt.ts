import { type Call, method, t, toHex, toQuantity } from "@plinth/core";
import { bloomOfLogs } from "@plinth/core/blocks";
import { toBase64 } from "@plinth/kit-enclave";
import { logObject } from "@plinth/kit-rpc";
import {
  behindError,
  getPrivacy,
  type MarkerPlace,
  type PrivacyNode,
  type PrivateReceipt,
  privateContractAddress,
  UNKNOWN_GROUP,
} from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { type FoundPrivateTransaction, findPrivateTransaction } from "../found-transaction.js";

/** `priv_getTransactionReceipt`: the receipt of a private transaction, for its parties. */
export const getTransactionReceipt = method({
  summary: "Returns the receipt of a private transaction by the hash of its marker.",
  params: { transaction: t.hash },
  result: t.json,
  example: { params: [`0x${"ab".repeat(32)}`], result: null },
  async handle({ transaction: hash }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    const found = await findPrivateTransaction(hash, call);
    if (found === undefined) return null;
    const { header } = found.place.block;
    try {
      await node.executor.waitFor(header.number, found.group, call);
    } catch (error) {
      throw behindError(error);
    }
    const receipt = node.store.findReceipt(header.hash, hash, found.group);
    return receiptObject(found, isKept(receipt, node, call) ? receipt : undefined, hash, call);
  },
});

/**
 * Besu keeps receipts of failures only if they change the state of the group, and in flexible
 * groups.
 */
function isKept(
  receipt: PrivateReceipt | undefined,
  { rules }: PrivacyNode,
  { compatibility }: Call<typeof dependencies>,
): boolean {
  const isFailure = receipt?.status === 0;
  const keepsFailures = rules.nonceAlwaysIncrements || rules.isFlexible;
  return !isFailure || compatibility.mode !== "besu" || keepsFailures;
}

/** A transaction that was not executed, such as one behind a marker of another form, has failed. */
function receiptObject(
  { transaction, sender, group, place }: FoundPrivateTransaction,
  receipt: PrivateReceipt | undefined,
  hash: `0x${string}`,
  { compatibility, privacy }: Call<typeof dependencies>,
) {
  const { to, nonce, privateFrom, privateFor } = transaction;
  const { logs = [], output = new Uint8Array(), status = 0, revertReason } = receipt ?? {};
  const failure = receipt === undefined ? findFailure(place, privacy) : undefined;
  const { header } = place.block;
  const isBesu = compatibility.mode === "besu";
  const contractAddress =
    to === undefined ? privateContractAddress({ sender, nonce, group }) : undefined;
  const at = { header, transactionHash: hash, transactionIndex: place.index, isRemoved: false };
  return {
    ...(isBesu ? {} : { transactionHash: hash }),
    ...(isBesu && contractAddress === undefined
      ? {}
      : { contractAddress: contractAddress ?? null }),
    from: sender,
    ...(isBesu && to === undefined ? {} : { to: to ?? null }),
    output: toHex(output),
    commitmentHash: hash,
    privateFrom: toBase64(privateFrom),
    ...(privateFor === undefined ? {} : { privateFor: privateFor.map(toBase64) }),
    privacyGroupId: toBase64(group),
    status: toQuantity(BigInt(status)),
    ...(revertReason === undefined ? {} : { revertReason: toHex(revertReason) }),
    ...(isBesu || failure === undefined ? {} : { failure }),
    logs: logs.map((log, logIndex) => logObject({ ...at, log, logIndex }, compatibility)),
    logsBloom: toHex(bloomOfLogs(logs)),
    blockHash: header.hash,
    blockNumber: toQuantity(header.number),
    transactionIndex: toQuantity(BigInt(place.index)),
  };
}

/** Why a transaction of this node was not executed. */
function findFailure(
  { block, index }: MarkerPlace,
  privacy: Call<typeof dependencies>["privacy"],
): string | undefined {
  const { number } = block.header;
  const { unknownGroup } = getPrivacy(privacy).unresolved.find({ number, index }) ?? {};
  return unknownGroup && UNKNOWN_GROUP;
}
