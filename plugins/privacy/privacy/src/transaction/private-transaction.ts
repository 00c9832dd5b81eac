import {
  type Address,
  decodeRlp,
  encodeRlp,
  getCrypto,
  hexToBytes,
  keccak256,
  type Rlp,
  RlpError,
  toHex,
} from "@plinth/core";
import { Fields, scalarBytes } from "@plinth/core/blocks";
import { KEY_BYTES, legacyGroupId } from "@plinth/kit-enclave";

/** Whether the payload goes to the recipients only; `unsupported` is any other text. */
export type Restriction = "restricted" | "unrestricted" | "unsupported";

/** The recipients: named parties, which form a group, or an existing group. */
export type Parties =
  | { readonly privateFor: readonly Uint8Array[]; readonly privacyGroupId?: undefined }
  | { readonly privacyGroupId: Uint8Array; readonly privateFor?: undefined };

/** A private transaction before it is signed. */
export type UnsignedPrivateTransaction = Parties & {
  readonly nonce: bigint;
  /** Of the marker transaction. */
  readonly gasPrice: bigint;
  readonly gasLimit: bigint;
  /** Creates a contract if omitted. */
  readonly to?: Address | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
  /** If omitted, valid on any chain. */
  readonly chainId?: bigint | undefined;
  readonly privateFrom: Uint8Array;
  readonly restriction: Restriction;
};

/** A signed private transaction. */
export type PrivateTransaction = UnsignedPrivateTransaction & {
  readonly v: bigint;
  readonly r: bigint;
  readonly s: bigint;
};

const ADDRESS_BYTES = 20;
/**
 * `v` of a signature that is valid on any chain, and the lowest `v` that includes a chain id
 * (EIP-155).
 */
const UNPROTECTED_V = 27n;
const PROTECTED_V = 35n;
const LEAST_PROTECTED_V = 37n;
const EMPTY = new Uint8Array();

/** Decodes a signed private transaction; throws `RlpError` if it is invalid. */
export function decodePrivateTransaction(bytes: Uint8Array): PrivateTransaction {
  return readPrivateTransaction(decodeRlp(bytes));
}

/** Same for an item nested in another one. */
export function readPrivateTransaction(item: Rlp): PrivateTransaction {
  const fields = new Fields("private transaction", item);
  const nonce = fields.uint64("nonce");
  const gasPrice = fields.uint256("gasPrice");
  const gasLimit = fields.uint64("gasLimit");
  const to = fields.optionalAddress("to");
  const value = fields.uint256("value");
  const data = fields.bytes("data");
  const v = readScalar(fields.bytes("v"));
  const r = fields.uint256("r");
  const s = fields.uint256("s");
  const privateFrom = fields.bytes("privateFrom");
  const parties = readParties(fields.item("privateFor"));
  const restriction = readRestriction(fields.bytes("restriction"));
  fields.verifyEnd();
  const chainId = chainIdOf(v);
  const signature = { v, r, s, chainId };
  const payload = { nonce, gasPrice, gasLimit, to, value, data };
  return { ...payload, ...signature, privateFrom, restriction, ...parties };
}

/** Encodes a signed private transaction. */
export function encodePrivateTransaction(transaction: PrivateTransaction): Uint8Array {
  const { v, r, s } = transaction;
  const signature = [v, r, s].map(scalarBytes);
  return encodeRlp([...payloadOf(transaction), ...signature, ...privatePartsOf(transaction)]);
}

/** The signed fields: the private ones come after the chain id. */
export function privateSigningHash(transaction: UnsignedPrivateTransaction): Uint8Array {
  return keccak256(encodeSigningPayload(transaction));
}

/** The bytes whose hash is signed. */
export function encodeSigningPayload(transaction: UnsignedPrivateTransaction): Uint8Array {
  const { chainId } = transaction;
  const protection = chainId === undefined ? [] : [scalarBytes(chainId), EMPTY, EMPTY];
  return encodeRlp([...payloadOf(transaction), ...protection, ...privatePartsOf(transaction)]);
}

/** Signs with a private key; returns the argument of `eea_sendRawTransaction`. */
export function signPrivateTransaction(
  transaction: UnsignedPrivateTransaction,
  privateKey: Uint8Array,
): Uint8Array {
  const signature = getCrypto().sign(privateSigningHash(transaction), privateKey);
  const { chainId } = transaction;
  const base = chainId === undefined ? UNPROTECTED_V : 2n * chainId + PROTECTED_V;
  return encodePrivateTransaction({
    ...transaction,
    v: base + BigInt(signature.recovery),
    r: BigInt(toHex(signature.r)),
    s: BigInt(toHex(signature.s)),
  });
}

/** The signer; `undefined` for a signature that no key can produce. */
export function findPrivateSender(transaction: PrivateTransaction): Address | undefined {
  const { v, r, s, chainId } = transaction;
  const base = chainId === undefined ? UNPROTECTED_V : 2n * chainId + PROTECTED_V;
  const { recover, addressOf } = getCrypto();
  const signature = { r: wordOf(r), s: wordOf(s), recovery: v === base ? 0 : 1 } as const;
  try {
    return addressOf(recover(privateSigningHash(transaction), signature));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The group that a private transaction is for. */
export function groupOf(transaction: UnsignedPrivateTransaction): Uint8Array {
  const { privateFrom, privateFor, privacyGroupId } = transaction;
  return privacyGroupId ?? groupOfParties([privateFrom, ...privateFor]);
}

/** The group that parties form by sending to each other. */
export function groupOfParties(parties: readonly Uint8Array[]): Uint8Array {
  return legacyGroupId(parties);
}

/**
 * The address of a contract that a private transaction creates: the group is part of its preimage.
 */
export function privateContractAddress(creation: {
  readonly sender: Address;
  readonly nonce: bigint;
  readonly group: Uint8Array;
}): Address {
  const { sender, nonce, group } = creation;
  const hash = keccak256(encodeRlp([hexToBytes(sender), scalarBytes(nonce), group]));
  return toHex(hash.slice(-ADDRESS_BYTES));
}

function payloadOf(transaction: UnsignedPrivateTransaction): readonly Uint8Array[] {
  const { nonce, gasPrice, gasLimit, to, value, data } = transaction;
  return [
    scalarBytes(nonce),
    scalarBytes(gasPrice),
    scalarBytes(gasLimit),
    to === undefined ? EMPTY : hexToBytes(to),
    scalarBytes(value),
    data,
  ];
}

function privatePartsOf(transaction: UnsignedPrivateTransaction): readonly Rlp[] {
  const { privateFrom, privateFor, privacyGroupId, restriction } = transaction;
  const text = restriction === "unsupported" ? "" : restriction;
  return [privateFrom, privacyGroupId ?? privateFor, Buffer.from(text, "latin1")];
}

function readParties(item: Rlp): Parties {
  if (item instanceof Uint8Array) {
    if (item.length === KEY_BYTES) return { privacyGroupId: item };
    throw new RlpError(
      `private transaction.privacyGroupId: ${item.length} bytes, expected ${KEY_BYTES}`,
    );
  }
  const privateFor = item.map((key, index) => {
    if (key instanceof Uint8Array) return key;
    throw new RlpError(`private transaction.privateFor.${index}: a list, expected bytes`);
  });
  return { privateFor };
}

function readRestriction(bytes: Uint8Array): Restriction {
  const text = Buffer.from(bytes).toString("latin1");
  return text === "restricted" || text === "unrestricted" ? text : "unsupported";
}

function readScalar(bytes: Uint8Array): bigint {
  if (bytes[0] === 0) throw new RlpError("private transaction.v: a number with leading zeros");
  return bytes.length === 0 ? 0n : BigInt(toHex(bytes));
}

function chainIdOf(v: bigint): bigint | undefined {
  if (v === UNPROTECTED_V || v === UNPROTECTED_V + 1n) return undefined;
  if (v >= LEAST_PROTECTED_V) return (v - PROTECTED_V) / 2n;
  throw new RlpError(`private transaction.v: ${v}, expected 27, 28 or more than 36`);
}

const WORD_DIGITS = 64;

function wordOf(value: bigint): Uint8Array {
  return hexToBytes(value.toString(16).padStart(WORD_DIGITS, "0"));
}
