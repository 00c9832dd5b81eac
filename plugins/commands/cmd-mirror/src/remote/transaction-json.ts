import { InvalidTransaction, type Transaction, t, type ValueOf } from "@plinth/core";
import { decodeTransaction, encodeSigned } from "@plinth/core/blocks";

/** `v` of a legacy signature that is valid on any chain. */
const UNPROTECTED_V = 27n;
/** EIP-155: `v` is this plus twice the chain id plus the parity. */
const PROTECTED_V = 35n;

/** A transaction as JSON-RPC has it; numbers as any client writes them. */
export const transactionForm = t.object({
  hash: t.hash,
  type: t.optional(t.wei, 0n),
  chainId: t.optional(t.wei),
  nonce: t.wei,
  gasPrice: t.optional(t.wei),
  maxPriorityFeePerGas: t.optional(t.wei),
  maxFeePerGas: t.optional(t.wei),
  gas: t.wei,
  to: t.optional(t.address),
  value: t.wei,
  input: t.data,
  accessList: t.optional(
    t.array(t.object({ address: t.address, storageKeys: t.array(t.hash) })),
    [],
  ),
  maxFeePerBlobGas: t.optional(t.wei),
  blobVersionedHashes: t.optional(t.array(t.hash)),
  authorizationList: t.optional(
    t.array(
      t.object({
        chainId: t.wei,
        address: t.address,
        nonce: t.wei,
        yParity: t.optional(t.wei),
        v: t.optional(t.wei),
        r: t.wei,
        s: t.wei,
      }),
    ),
  ),
  yParity: t.optional(t.wei),
  v: t.optional(t.wei),
  r: t.wei,
  s: t.wei,
});

type TransactionJson = ValueOf<typeof transactionForm>;

/** The transaction, whose hash is to be compared; throws `InvalidTransaction` if no fork allows it. */
export function toTransaction(json: TransactionJson): Transaction {
  const { nonce, gas: gasLimit, to, value, input: data, r, s } = json;
  const base = { nonce, gasLimit, to, value, data };
  const parity = json.yParity ?? json.v ?? 0n;
  const encode = (fields: Parameters<typeof encodeSigned>[0], yParity: bigint) =>
    decodeTransaction(encodeSigned(fields, { yParity: yParity === 1n ? 1 : 0, r, s }));
  if (json.type === 0n) {
    const { gasPrice } = json;
    const v = json.v ?? 0n;
    const isProtected = v >= PROTECTED_V;
    const chainId = isProtected ? (v - PROTECTED_V) / 2n : undefined;
    const bit = isProtected ? (v - PROTECTED_V) % 2n : v - UNPROTECTED_V;
    return encode({ ...base, chainId, gasPrice }, bit);
  }
  const { chainId, accessList, gasPrice } = json;
  if (json.type === 1n) return encode({ ...base, chainId, accessList, gasPrice }, parity);
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = json;
  const market = { ...base, chainId, accessList, maxFeePerGas, maxPriorityFeePerGas };
  if (json.type === 2n) return encode(market, parity);
  const { maxFeePerBlobGas, blobVersionedHashes = [] } = json;
  if (json.type === 3n) {
    return encode({ ...market, maxFeePerBlobGas, blobVersionedHashes }, parity);
  }
  if (json.type !== 4n) {
    throw new InvalidTransaction({ message: `transaction.type: ${json.type}, expected 0 to 4` });
  }
  const authorizationList = (json.authorizationList ?? []).map((each) => ({
    ...each,
    yParity: each.yParity ?? each.v ?? 0n,
  }));
  return encode({ ...market, authorizationList }, parity);
}
