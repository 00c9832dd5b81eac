import { getCrypto } from "../primitives/crypto.js";
import type { Address, Hash } from "../primitives/hex.js";
import { keccak256 } from "../primitives/keccak/keccak.js";
import { encodeRlp, type Rlp } from "../primitives/rlp.js";
import { encodeEnvelope, type TransactionType } from "./envelope.js";
import { hexBytes, scalarBytes } from "./fields.js";
import { UNSIGNED_MARK_BIT } from "./transaction.js";
import type { Authorization, TransactionFields } from "./transaction-fields.js";

/**
 * A transaction before it is signed.
 *
 * Its fields determine its type: blob hashes 3, authorizations 4, `maxFeePerGas` 2, an access list
 * 1.
 */
export interface UnsignedTransaction
  extends Pick<TransactionFields, "nonce" | "gasLimit" | "to" | "value" | "data"> {
  /** If omitted, a transaction of type 0 is valid on any chain (before EIP-155). */
  readonly chainId: bigint | undefined;
  readonly gasPrice?: bigint | undefined;
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
  readonly accessList?: TransactionFields["accessList"] | undefined;
  readonly maxFeePerBlobGas?: bigint | undefined;
  readonly blobVersionedHashes?: readonly Hash[] | undefined;
  readonly authorizationList?: readonly Authorization[] | undefined;
}

/** The fields of a signature. */
export interface SignatureValues {
  readonly yParity: 0 | 1;
  readonly r: bigint;
  readonly s: bigint;
}

/** EIP-155: `v` is this plus twice the chain id plus the parity. */
const PROTECTED_V = 35n;
/** Yellow Paper, appendix F: `v` of a signature that is valid on any chain. */
const UNPROTECTED_V = 27n;
/** EIP-7702: prefix of the signed payload. */
const AUTHORIZATION_MAGIC = 0x05;
/** Above every address, so that the sender is never zero, which is invalid in a signature. */
const SENDER_MARK = 1n << UNSIGNED_MARK_BIT;

/** Signs a transaction with a private key and returns its network encoding. */
export function signTransaction(
  transaction: UnsignedTransaction,
  privateKey: Uint8Array,
): Uint8Array {
  const { type, payload } = payloadOf(transaction);
  const { chainId } = transaction;
  const isProtected = type === 0 && chainId !== undefined;
  const protection = isProtected ? [scalarBytes(chainId), EMPTY, EMPTY] : [];
  const hash = keccak256(encodeEnvelope(type, [...payload, ...protection]));
  const { r, s, recovery } = getCrypto().sign(hash, privateKey);
  const signature = { yParity: recovery as 0 | 1, r: numberOf(r), s: numberOf(s) };
  return encodeSigned(transaction, signature);
}

/** Signs a delegation of the signer's account to the code of a contract (EIP-7702). */
export function signAuthorization(
  { chainId, address, nonce }: Pick<Authorization, "chainId" | "address" | "nonce">,
  privateKey: Uint8Array,
): Authorization {
  const fields = [scalarBytes(chainId), hexBytes(address), scalarBytes(nonce)];
  const hash = keccak256(Buffer.concat([Uint8Array.of(AUTHORIZATION_MAGIC), encodeRlp(fields)]));
  const { r, s, recovery } = getCrypto().sign(hash, privateKey);
  return { chainId, address, nonce, yParity: BigInt(recovery), r: numberOf(r), s: numberOf(s) };
}

/**
 * An unsigned transaction: contains its sender in place of the signature.
 *
 * No chain accepts it by itself; the sender must be passed in separately.
 */
export function encodeUnsigned(transaction: UnsignedTransaction, sender: Address): Uint8Array {
  return encodeSigned(transaction, { yParity: 0, r: SENDER_MARK + BigInt(sender), s: 1n });
}

/** A transaction with an all-zero signature, as simulations report it. */
export function encodeZeroSigned(transaction: UnsignedTransaction): Uint8Array {
  const { type, payload } = payloadOf(transaction);
  return encodeEnvelope(type, [...payload, EMPTY, EMPTY, EMPTY]);
}

const EMPTY = new Uint8Array();

/** A transaction with its signature. */
export function encodeSigned(
  transaction: UnsignedTransaction,
  { yParity, r, s }: SignatureValues,
): Uint8Array {
  const { type, payload } = payloadOf(transaction);
  const parity = BigInt(yParity);
  const v = type === 0 ? legacyV(transaction.chainId) + parity : parity;
  return encodeEnvelope(type, [...payload, scalarBytes(v), scalarBytes(r), scalarBytes(s)]);
}

function legacyV(chainId: bigint | undefined): bigint {
  return chainId === undefined ? UNPROTECTED_V : chainId * 2n + PROTECTED_V;
}

function payloadOf(transaction: UnsignedTransaction): { type: TransactionType; payload: Rlp[] } {
  const { chainId = 0n, nonce, gasLimit, to, value, data, accessList, maxFeePerGas } = transaction;
  const { gasPrice = 0n, maxPriorityFeePerGas = 0n } = transaction;
  const target = to === undefined ? EMPTY : hexBytes(to);
  const middle = [scalarBytes(gasLimit), target, scalarBytes(value), data];
  if (maxFeePerGas !== undefined) {
    const fees = [scalarBytes(maxPriorityFeePerGas), scalarBytes(maxFeePerGas)];
    const list = accessListToRlp(accessList ?? []);
    const payload = [scalarBytes(chainId), scalarBytes(nonce), ...fees, ...middle, list];
    return withExtension(payload, transaction);
  }
  const front = [scalarBytes(nonce), scalarBytes(gasPrice), ...middle];
  if (accessList === undefined) return { type: 0, payload: front };
  return { type: 1, payload: [scalarBytes(chainId), ...front, accessListToRlp(accessList)] };
}

/** Adds the fields of types 3 and 4. */
function withExtension(
  payload: Rlp[],
  { maxFeePerBlobGas = 0n, blobVersionedHashes, authorizationList }: UnsignedTransaction,
): { type: TransactionType; payload: Rlp[] } {
  if (blobVersionedHashes !== undefined) {
    const hashes = blobVersionedHashes.map(hexBytes);
    return { type: 3, payload: [...payload, scalarBytes(maxFeePerBlobGas), hashes] };
  }
  if (authorizationList === undefined) return { type: 2, payload };
  const list = authorizationList.map(({ chainId, address, nonce, yParity, r, s }) => [
    scalarBytes(chainId),
    hexBytes(address),
    ...[nonce, yParity, r, s].map(scalarBytes),
  ]);
  return { type: 4, payload: [...payload, list] };
}

function accessListToRlp(accessList: TransactionFields["accessList"]): Rlp {
  return accessList.map(({ address, storageKeys }) => [
    hexBytes(address),
    storageKeys.map(hexBytes),
  ]);
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}
