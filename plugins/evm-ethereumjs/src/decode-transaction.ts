import {
  createLegacyTxFromBytesArray,
  createTxFromRLP,
  type TxOptions,
  type TypedTransaction,
} from "@ethereumjs/tx";
import { decodeRlp } from "@plinth/core";

const FIRST_LIST_BYTE = 0xc0;
const UNSIGNED_FIELDS = 6;
const UNPROTECTED_V = [27n, 28n];

/** Decodes a signed transaction whose sender is known, for a chain id of any size. */
export function decodeTransaction(
  raw: Uint8Array,
  options: TxOptions & Required<Pick<TxOptions, "common">>,
): TypedTransaction {
  const chainId = options.common.chainId();
  const isLegacy = (raw[0] ?? 0) >= FIRST_LIST_BYTE;
  // EthereumJS reads the v of a legacy transaction as a number.
  if (!isLegacy || 2n * chainId + 36n <= Number.MAX_SAFE_INTEGER) {
    return createTxFromRLP(raw, options);
  }
  const fields = decodeRlp(raw) as Uint8Array[];
  verifyChainId(fields[UNSIGNED_FIELDS] ?? new Uint8Array(), chainId);
  return createLegacyTxFromBytesArray(fields.slice(0, UNSIGNED_FIELDS) as never, options);
}

/** EIP-155. */
function verifyChainId(bytes: Uint8Array, chainId: bigint): void {
  const v = BigInt(`0x${Buffer.from(bytes).toString("hex") || "0"}`);
  const isProtected = v === 2n * chainId + 35n || v === 2n * chainId + 36n;
  if (!isProtected && !UNPROTECTED_V.includes(v)) {
    throw new Error(`the signature's v of ${v} does not belong to chain id ${chainId}`);
  }
}
