import type { Address, Hash } from "../primitives/hex.js";
import { type Rlp, RlpError } from "../primitives/rlp.js";
import type { Envelope, TransactionType } from "./envelope.js";
import { Fields } from "./fields.js";
import { MAX_UINT64, MAX_UINT256 } from "./limits.js";

/** EIP-2930: the storage slots a transaction announces to access. */
export interface AccessListEntry {
  readonly address: Address;
  readonly storageKeys: readonly Hash[];
}

/** EIP-7702: an account that delegates to the code of another. */
export interface Authorization {
  /** 0 means any chain. */
  readonly chainId: bigint;
  readonly address: Address;
  readonly nonce: bigint;
  /**
   * Any byte: an authorization with an invalid signature is skipped, the transaction stays valid.
   */
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

/** The fields of all transaction types in one shape; lists that a type lacks are empty. */
export interface TransactionFields {
  readonly type: TransactionType;
  /** `undefined` for a transaction without replay protection (EIP-155). */
  readonly chainId: bigint | undefined;
  readonly nonce: bigint;
  /** Types 0 and 1. */
  readonly gasPrice: bigint | undefined;
  /** From type 2 on. */
  readonly maxPriorityFeePerGas: bigint | undefined;
  /** From type 2 on. */
  readonly maxFeePerGas: bigint | undefined;
  readonly gasLimit: bigint;
  /** `undefined` for a contract creation. */
  readonly to: Address | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[];
  /** Type 3. */
  readonly maxFeePerBlobGas: bigint | undefined;
  /** Type 3. */
  readonly blobVersionedHashes: readonly Hash[];
  /** Type 4. */
  readonly authorizationList: readonly Authorization[];
  /** As encoded: for type 0 it may contain the chain id, for other types it is `yParity`. */
  readonly v: bigint;
  readonly yParity: 0 | 1;
  readonly r: bigint;
  readonly s: bigint;
}

const MAX_BYTE = 255n;
/** SEC 2, section 2.4.1: the order of the curve. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Yellow Paper, appendix F: `v` of a signature without replay protection. */
const UNPROTECTED_V = 27n;
/** EIP-155: `v` is this plus twice the chain id plus the parity. */
const PROTECTED_V = 35n;

/** Decodes the fields of every type; throws an `RlpError` that names a malformed field. */
export function readTransactionFields({ type, payload }: Envelope): TransactionFields {
  const fields = new Fields("transaction", payload);
  const read = type === 0 ? readLegacy(fields) : readTyped(type, fields);
  fields.verifyEnd();
  verifyFields(read);
  return read;
}

function readLegacy(fields: Fields): TransactionFields {
  return {
    type: 0,
    nonce: fields.uint64("nonce"),
    gasPrice: fields.uint256("gasPrice"),
    maxPriorityFeePerGas: undefined,
    maxFeePerGas: undefined,
    gasLimit: fields.uint64("gasLimit"),
    to: fields.optionalAddress("to"),
    value: fields.uint256("value"),
    data: fields.bytes("data"),
    accessList: [],
    maxFeePerBlobGas: undefined,
    blobVersionedHashes: [],
    authorizationList: [],
    ...readV(fields.uint256("v")),
    r: fields.uint256("r"),
    s: fields.uint256("s"),
  };
}

function readTyped(type: 1 | 2 | 3 | 4, fields: Fields): TransactionFields {
  const hasFeeMarket = type >= 2;
  const chainId = fields.uint256("chainId");
  const nonce = fields.uint64("nonce");
  const gasPrice = hasFeeMarket ? undefined : fields.uint256("gasPrice");
  const maxPriorityFeePerGas = hasFeeMarket ? fields.uint256("maxPriorityFeePerGas") : undefined;
  const maxFeePerGas = hasFeeMarket ? fields.uint256("maxFeePerGas") : undefined;
  return {
    type,
    chainId,
    nonce,
    gasPrice,
    maxPriorityFeePerGas,
    maxFeePerGas,
    gasLimit: fields.uint64("gasLimit"),
    // EIP-4844 and EIP-7702: transactions of these types cannot create a contract.
    to: type >= 3 ? fields.address("to") : fields.optionalAddress("to"),
    value: fields.uint256("value"),
    data: fields.bytes("data"),
    accessList: fields.list("accessList").map(readAccessListEntry),
    maxFeePerBlobGas: type === 3 ? fields.uint256("maxFeePerBlobGas") : undefined,
    blobVersionedHashes: type === 3 ? fields.hashes("blobVersionedHashes") : [],
    authorizationList: type === 4 ? fields.list("authorizationList").map(readAuthorization) : [],
    ...readYParity(fields.uint64("yParity")),
    r: fields.uint256("r"),
    s: fields.uint256("s"),
  };
}

function readV(v: bigint): Pick<TransactionFields, "v" | "yParity" | "chainId"> {
  if (v === UNPROTECTED_V || v === UNPROTECTED_V + 1n) {
    return { v, yParity: v === UNPROTECTED_V ? 0 : 1, chainId: undefined };
  }
  if (v < PROTECTED_V) {
    throw new RlpError(`transaction.v: ${v}, expected 27, 28, or 35 and above`);
  }
  const rest = v - PROTECTED_V;
  return { v, yParity: rest % 2n === 0n ? 0 : 1, chainId: rest / 2n };
}

function readYParity(v: bigint): Pick<TransactionFields, "v" | "yParity"> {
  if (v > 1n) throw new RlpError(`transaction.yParity: ${v}, expected 0 or 1`);
  return { v, yParity: v === 0n ? 0 : 1 };
}

function readAccessListEntry(item: Rlp): AccessListEntry {
  const fields = new Fields("transaction.accessList", item);
  const entry = { address: fields.address("address"), storageKeys: fields.hashes("storageKeys") };
  fields.verifyEnd();
  return entry;
}

function readAuthorization(item: Rlp): Authorization {
  const fields = new Fields("transaction.authorizationList", item);
  const authorization = {
    chainId: fields.uint256("chainId"),
    address: fields.address("address"),
    nonce: fields.uint64("nonce"),
    yParity: fields.uint64("yParity"),
    r: fields.uint256("r"),
    s: fields.uint256("s"),
  };
  fields.verifyEnd();
  if (authorization.yParity > MAX_BYTE) {
    throw new RlpError("transaction.authorizationList.yParity: more than one byte");
  }
  return authorization;
}

function verifyFields({ nonce, gasLimit, gasPrice, maxFeePerGas, r, s }: TransactionFields): void {
  // EIP-2681, which applies to every block.
  if (nonce === MAX_UINT64) throw new RlpError("transaction.nonce: expected less than 2^64 - 1");
  if (gasLimit * (gasPrice ?? maxFeePerGas ?? 0n) > MAX_UINT256) {
    throw new RlpError("transaction.gasLimit: exceeds 2^256 - 1 when multiplied by the price");
  }
  if (r === 0n || r >= ORDER) throw new RlpError("transaction.r: outside the curve order");
  if (s === 0n || s >= ORDER) throw new RlpError("transaction.s: outside the curve order");
}
