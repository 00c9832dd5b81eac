import { RpcError, t, type ValueOf } from "@plinth/core";
import { encodeUnsigned, signTransaction, type UnsignedTransaction } from "@plinth/core/blocks";
import { transactionGas } from "@plinth/core/query";
import {
  authorization,
  differencesOf,
  failureOf,
  rejectionOf,
  requestFields,
  suggestPriorityFee,
  toRpcError,
} from "@plinth/kit-rpc";
import type { Dev } from "./dev.js";

/** A transaction that the node signs itself; it fills in omitted fields. */
export const transactionRequest = t.object({
  from: t.address,
  ...requestFields,
  nonce: t.optional(t.uint64),
  accessList: t.optional(t.array(t.object({ address: t.address, storageKeys: t.array(t.hash) }))),
  authorizationList: t.optional(t.array(authorization)),
});

type Request = ValueOf<typeof transactionRequest>;

/** The default tip, while no block has one to sample: a gwei. */
const USUAL_TIP = 1_000_000_000n;
/** Same tolerance as for callers who request an estimate. */
const TOLERANCE = 0.015;
const TIPS = { blocks: 20, percentile: 50 };

/** The transaction is sent even if its caller leaves. */
const NEVER = new AbortController().signal;

/** Creates a transaction of an unlocked or impersonated sender and adds it to the pool. */
export async function sendFrom(request: Request, dev: Dev) {
  const { senders, pool } = dev;
  const key = senders.keyOf(request.from);
  if (key === undefined && !senders.isImpersonated(request.from)) {
    throw new RpcError(
      -32000,
      `unknown account ${request.from}: its key is missing; plinth dev and --dev-unlocked-accounts=true unlock the listed accounts, hardhat_impersonateAccount impersonates any`,
    );
  }
  const transaction = await fillIn(request, dev);
  const raw =
    key === undefined
      ? encodeUnsigned(transaction, request.from)
      : signTransaction(transaction, key);
  try {
    return (await pool.submit(raw, { sender: request.from })).hash;
  } catch (error) {
    throw rejectionOf(error, dev.compatibility);
  }
}

/** Fills in omitted fields: nonce, gas and fees. */
export async function fillIn(request: Request, dev: Dev): Promise<UnsignedTransaction> {
  const { from, to, data, input, value, accessList, authorizationList } = request;
  const { chain, pool } = dev;
  return {
    chainId: chain.chainId ?? 1n,
    nonce: request.nonce ?? pool.nextNonce(from),
    gasLimit: request.gas ?? (await findGas(request, dev)),
    to,
    value,
    data: input ?? data ?? new Uint8Array(),
    accessList,
    authorizationList,
    ...(await feesOf(request, dev)),
  };
}

async function feesOf({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Request, { blocks }: Dev) {
  const { baseFeePerGas } = await blocks.next();
  if (gasPrice !== undefined) return { gasPrice };
  if (baseFeePerGas === undefined) return { gasPrice: USUAL_TIP };
  const suggested = suggestPriorityFee(blocks, TIPS) || USUAL_TIP;
  const tip = maxPriorityFeePerGas ?? suggested;
  const fee = maxFeePerGas ?? baseFeePerGas * 2n + tip;
  return { maxFeePerGas: fee, maxPriorityFeePerGas: tip < fee ? tip : fee };
}

async function findGas({ data, input, ...request }: Request, dev: Dev): Promise<bigint> {
  const { blocks, compatibility } = dev;
  const header = await blocks.next();
  const most = blocks.maxTransactionGasAt(header);
  const gasLimit = transactionGas(header.gasLimit, { most, cap: 0n });
  const style = { compatibility, isDetailed: true };
  const call = { ...request, data: input ?? data ?? new Uint8Array(), strict: false };
  const free = { gasPrice: undefined, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined };
  try {
    const found = await dev.query.estimateGas(
      { ...call, ...free, gas: undefined },
      { header, gasLimit, rules: differencesOf(compatibility).calls, tolerance: TOLERANCE },
      { closed: NEVER },
    );
    if (found.kind === "failed") throw failureOf(found.result, style);
    return found.gas;
  } catch (error) {
    throw toRpcError(error, style);
  }
}
