import { getCrypto } from "../primitives/crypto.js";
import type { Address, Hash } from "../primitives/hex.js";
import { keccak256, keccakHash } from "../primitives/keccak/keccak.js";
import { decodeRlp, type Rlp, RlpError } from "../primitives/rlp.js";
import {
  decodeEnvelope,
  type Envelope,
  encodeEnvelope,
  envelopeFromRlp,
  envelopeToRlp,
  type TransactionType,
} from "./envelope.js";
import { InvalidTransaction } from "./errors.js";
import { hexBytes, scalarBytes } from "./fields.js";
import { RecoveredSenders } from "./recovered-senders.js";
import { readTransactionFields, type TransactionFields } from "./transaction-fields.js";

const SIGNATURE_FIELDS = 3;
const PUBLIC_KEY_BYTES = 64;
/** Bit of `r` that is set above the sender's address in an unsigned transaction. */
export const UNSIGNED_MARK_BIT = 160n;

const recovered = new RecoveredSenders();

/**
 * A decoded signed transaction, from `decodeTransaction` or `transactionFromRlp`.
 *
 * Its hash and its sender are computed on first use and cached.
 */
export class Transaction implements TransactionFields {
  readonly type: TransactionType;
  readonly chainId: TransactionFields["chainId"];
  readonly nonce: bigint;
  readonly gasPrice: TransactionFields["gasPrice"];
  readonly maxPriorityFeePerGas: TransactionFields["maxPriorityFeePerGas"];
  readonly maxFeePerGas: TransactionFields["maxFeePerGas"];
  readonly gasLimit: bigint;
  readonly to: Address | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly accessList: TransactionFields["accessList"];
  readonly maxFeePerBlobGas: TransactionFields["maxFeePerBlobGas"];
  readonly blobVersionedHashes: readonly Hash[];
  readonly authorizationList: TransactionFields["authorizationList"];
  readonly v: bigint;
  readonly yParity: 0 | 1;
  readonly r: bigint;
  readonly s: bigint;
  /** The EIP-2718 encoding of the transaction. */
  readonly raw: Uint8Array;
  #hash: Hash | undefined;
  #sender: Address | undefined;

  /** With a sender, the signature is not verified: the caller vouches for it. */
  constructor(fields: TransactionFields, raw: Uint8Array, sender?: Address) {
    this.#sender = sender;
    this.type = fields.type;
    this.chainId = fields.chainId;
    this.nonce = fields.nonce;
    this.gasPrice = fields.gasPrice;
    this.maxPriorityFeePerGas = fields.maxPriorityFeePerGas;
    this.maxFeePerGas = fields.maxFeePerGas;
    this.gasLimit = fields.gasLimit;
    this.to = fields.to;
    this.value = fields.value;
    this.data = fields.data;
    this.accessList = fields.accessList;
    this.maxFeePerBlobGas = fields.maxFeePerBlobGas;
    this.blobVersionedHashes = fields.blobVersionedHashes;
    this.authorizationList = fields.authorizationList;
    this.v = fields.v;
    this.yParity = fields.yParity;
    this.r = fields.r;
    this.s = fields.s;
    this.raw = raw;
  }

  get hash(): Hash {
    this.#hash ??= keccakHash(this.raw);
    return this.#hash;
  }

  /** Whether it contains its sender in place of a signature. */
  get isUnsigned(): boolean {
    return this.s === 1n && this.r >> UNSIGNED_MARK_BIT === 1n;
  }

  /** Whether its sender is known without recovery. */
  get knowsSender(): boolean {
    this.#sender ??= recovered.find(this.hash);
    return this.#sender !== undefined;
  }

  /** Caches the sender recovered elsewhere from these bytes. */
  rememberSender(sender: Address): void {
    this.#sender = sender;
    recovered.add(this.hash, sender);
  }

  /** The sender; throws `InvalidTransaction` if the signature is invalid. */
  get sender(): Address {
    this.#sender ??= recovered.find(this.hash) ?? recoverSender(this);
    return this.#sender;
  }
}

/**
 * Decodes a transaction; throws `InvalidTransaction` if no fork allows it.
 *
 * A known sender is not recovered from the signature again.
 */
export function decodeTransaction(bytes: Uint8Array, sender?: Address): Transaction {
  return readTransaction(() => decodeEnvelope("transaction", bytes), sender);
}

/** Encodes a transaction as part of a block. */
export function transactionToRlp(transaction: Transaction): Rlp {
  return envelopeToRlp(transaction);
}

/**
 * Decodes a transaction that is part of a block; throws `InvalidTransaction` if no fork allows it.
 */
export function transactionFromRlp(item: Rlp, sender?: Address): Transaction {
  return readTransaction(() => envelopeFromRlp("transaction", item), sender);
}

function readTransaction(open: () => Envelope, sender: Address | undefined): Transaction {
  try {
    const envelope = open();
    return new Transaction(readTransactionFields(envelope), envelope.raw, sender);
  } catch (error) {
    if (!(error instanceof RlpError)) throw error;
    throw new InvalidTransaction({ message: error.message, cause: error });
  }
}

/** The public key of the signer, 64 bytes; `undefined` if the signature is invalid. */
export function findPublicKey(transaction: Transaction): Uint8Array | undefined {
  try {
    return recoverKey(transaction).slice(-PUBLIC_KEY_BYTES);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function recoverKey(transaction: Transaction): Uint8Array {
  const { r, s, yParity } = transaction;
  return getCrypto().recover(keccak256(signedBytes(transaction)), {
    r: word(r),
    s: word(s),
    recovery: yParity,
  });
}

function recoverSender(transaction: Transaction): Address {
  try {
    const sender = getCrypto().addressOf(recoverKey(transaction));
    recovered.add(transaction.hash, sender);
    return sender;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message = `transaction.signature: ${cause.message}`;
    throw new InvalidTransaction({ message, cause });
  }
}

/** The signed payload: the fields before the signature, for EIP-155 followed by the chain id. */
function signedBytes({ type, chainId, raw }: Transaction): Uint8Array {
  const payload = decodeRlp(type === 0 ? raw : raw.subarray(1));
  const fields = payload instanceof Uint8Array ? [] : payload.slice(0, -SIGNATURE_FIELDS);
  const isReplayProtected = type === 0 && chainId !== undefined;
  const protection = isReplayProtected
    ? [scalarBytes(chainId), new Uint8Array(), new Uint8Array()]
    : [];
  return encodeEnvelope(type, [...fields, ...protection]);
}

function word(value: bigint): Uint8Array {
  return hexBytes(`0x${value.toString(16).padStart(64, "0")}`);
}
