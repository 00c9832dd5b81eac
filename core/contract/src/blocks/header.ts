import { BLOOM_BYTES, type Bloom } from "../primitives/bloom.js";
import type { Address, Hash } from "../primitives/hex.js";
import { keccakHash } from "../primitives/keccak/keccak.js";
import { decodeRlp, encodeRlp, type Rlp, RlpError } from "../primitives/rlp.js";
import { Fields, hexBytes, scalarBytes } from "./fields.js";

/** A block header; each optional field was introduced by a fork and requires those before it. */
export interface Header {
  readonly parentHash: Hash;
  readonly unclesHash: Hash;
  readonly coinbase: Address;
  readonly stateRoot: Hash;
  readonly transactionsRoot: Hash;
  readonly receiptsRoot: Hash;
  readonly logsBloom: Uint8Array;
  readonly difficulty: bigint;
  readonly number: bigint;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  /** Seconds since 1970. */
  readonly timestamp: bigint;
  readonly extraData: Uint8Array;
  /** From EIP-4399 on the randomness of the beacon chain. */
  readonly mixHash: Hash;
  readonly nonce: Uint8Array;
  /** EIP-1559. */
  readonly baseFeePerGas?: bigint;
  /** EIP-4895. */
  readonly withdrawalsRoot?: Hash;
  /** EIP-4844. */
  readonly blobGasUsed?: bigint;
  /** EIP-4844. */
  readonly excessBlobGas?: bigint;
  /** EIP-4788. */
  readonly parentBeaconBlockRoot?: Hash;
  /** EIP-7685. */
  readonly requestsHash?: Hash;
}

/** A header with its hash as computed by the engine. */
export type SealedHeader = Header & { readonly hash: Hash };

const NO_CHANGES: HeaderChanges = {};
const NONCE_BYTES = 8;
/** RLP: above this length the prefix contains the length of the length. */
const LONG_LIST = 0xf7;
/** Five hashes and an address with one-byte prefixes, and the three-byte prefix of the bloom. */
const BYTES_BEFORE_BLOOM = 5 * 33 + 21 + 3;

type Draft = { -readonly [Name in keyof Header]: Header[Name] };
/** New values of fields; those that are `undefined` do not change. */
export type HeaderChanges = { readonly [Name in keyof Header]?: Header[Name] | undefined };

/**
 * A header with some of its fields changed; other properties are not copied.
 *
 * All headers that are copied here have one shape. A copy by `{ ...header }` has one for each place that a header may come
 * from, and V8 takes microseconds for each object that is copied from many shapes.
 */
export function copyHeader(header: Header, changes: HeaderChanges = NO_CHANGES): Header {
  const copy: Draft = {
    parentHash: changes.parentHash ?? header.parentHash,
    unclesHash: changes.unclesHash ?? header.unclesHash,
    coinbase: changes.coinbase ?? header.coinbase,
    stateRoot: changes.stateRoot ?? header.stateRoot,
    transactionsRoot: changes.transactionsRoot ?? header.transactionsRoot,
    receiptsRoot: changes.receiptsRoot ?? header.receiptsRoot,
    logsBloom: changes.logsBloom ?? header.logsBloom,
    difficulty: changes.difficulty ?? header.difficulty,
    number: changes.number ?? header.number,
    gasLimit: changes.gasLimit ?? header.gasLimit,
    gasUsed: changes.gasUsed ?? header.gasUsed,
    timestamp: changes.timestamp ?? header.timestamp,
    extraData: changes.extraData ?? header.extraData,
    mixHash: changes.mixHash ?? header.mixHash,
    nonce: changes.nonce ?? header.nonce,
  };
  const baseFeePerGas = changes.baseFeePerGas ?? header.baseFeePerGas;
  if (baseFeePerGas !== undefined) copy.baseFeePerGas = baseFeePerGas;
  const withdrawalsRoot = changes.withdrawalsRoot ?? header.withdrawalsRoot;
  if (withdrawalsRoot !== undefined) copy.withdrawalsRoot = withdrawalsRoot;
  const blobGasUsed = changes.blobGasUsed ?? header.blobGasUsed;
  if (blobGasUsed !== undefined) copy.blobGasUsed = blobGasUsed;
  const excessBlobGas = changes.excessBlobGas ?? header.excessBlobGas;
  if (excessBlobGas !== undefined) copy.excessBlobGas = excessBlobGas;
  const parentBeaconBlockRoot = changes.parentBeaconBlockRoot ?? header.parentBeaconBlockRoot;
  if (parentBeaconBlockRoot !== undefined) copy.parentBeaconBlockRoot = parentBeaconBlockRoot;
  const requestsHash = changes.requestsHash ?? header.requestsHash;
  if (requestsHash !== undefined) copy.requestsHash = requestsHash;
  return copy;
}

/** Combines a header with its hash as computed by the engine. */
export function sealHeader(header: Header, hash: Hash): SealedHeader {
  return Object.assign(copyHeader(header), { hash });
}

/**
 * The Keccak hash of the encoded header, optionally with other extra data.
 *
 * Only the engine decides whether this is the block hash.
 */
export function keccakHeader(header: Header, extraData = header.extraData): Hash {
  const hashed = extraData === header.extraData ? header : copyHeader(header, { extraData });
  return keccakHash(encodeHeader(hashed));
}

/** Encodes a header. */
export function encodeHeader(header: Header): Uint8Array {
  return encodeRlp(headerToRlp(header));
}

/** Decodes a header; throws `RlpError` for anything but its canonical encoding. */
export function decodeHeader(bytes: Uint8Array): Header {
  return headerFromRlp(decodeRlp(bytes));
}

/**
 * The bloom of an encoded header, without decoding the rest.
 *
 * The six fields before it are hashes and an address, so only the prefix of the list varies.
 */
export function bloomOfHeader(bytes: Uint8Array): Bloom {
  const start = 1 + ((bytes[0] ?? 0) - LONG_LIST) + BYTES_BEFORE_BLOOM;
  return bytes.subarray(start, start + BLOOM_BYTES);
}

/** Encodes a header as an RLP list. */
export function headerToRlp(header: Header): Rlp {
  return [
    hexBytes(header.parentHash),
    hexBytes(header.unclesHash),
    hexBytes(header.coinbase),
    hexBytes(header.stateRoot),
    hexBytes(header.transactionsRoot),
    hexBytes(header.receiptsRoot),
    header.logsBloom,
    scalarBytes(header.difficulty),
    scalarBytes(header.number),
    scalarBytes(header.gasLimit),
    scalarBytes(header.gasUsed),
    scalarBytes(header.timestamp),
    header.extraData,
    hexBytes(header.mixHash),
    header.nonce,
    ...optionalItems(header),
  ];
}

/** Decodes a header from an RLP list. */
export function headerFromRlp(item: Rlp): Header {
  const fields = new Fields("header", item);
  const header: Draft = {
    parentHash: fields.hash("parentHash"),
    unclesHash: fields.hash("unclesHash"),
    coinbase: fields.address("coinbase"),
    stateRoot: fields.hash("stateRoot"),
    transactionsRoot: fields.hash("transactionsRoot"),
    receiptsRoot: fields.hash("receiptsRoot"),
    logsBloom: fields.fixed("logsBloom", BLOOM_BYTES),
    difficulty: fields.uint256("difficulty"),
    number: fields.uint64("number"),
    gasLimit: fields.uint64("gasLimit"),
    gasUsed: fields.uint64("gasUsed"),
    timestamp: fields.uint64("timestamp"),
    extraData: fields.bytes("extraData"),
    mixHash: fields.hash("mixHash"),
    nonce: fields.fixed("nonce", NONCE_BYTES),
  };
  if (fields.hasMore()) header.baseFeePerGas = fields.uint256("baseFeePerGas");
  if (fields.hasMore()) header.withdrawalsRoot = fields.hash("withdrawalsRoot");
  if (fields.hasMore()) header.blobGasUsed = fields.uint64("blobGasUsed");
  if (fields.hasMore()) header.excessBlobGas = fields.uint64("excessBlobGas");
  if (fields.hasMore()) header.parentBeaconBlockRoot = fields.hash("parentBeaconBlockRoot");
  if (fields.hasMore()) header.requestsHash = fields.hash("requestsHash");
  fields.verifyEnd();
  return header;
}

function optionalItems(header: Header): Uint8Array[] {
  const { baseFeePerGas, withdrawalsRoot, blobGasUsed, excessBlobGas } = header;
  const { parentBeaconBlockRoot, requestsHash } = header;
  const items = [
    baseFeePerGas === undefined ? undefined : scalarBytes(baseFeePerGas),
    withdrawalsRoot === undefined ? undefined : hexBytes(withdrawalsRoot),
    blobGasUsed === undefined ? undefined : scalarBytes(blobGasUsed),
    excessBlobGas === undefined ? undefined : scalarBytes(excessBlobGas),
    parentBeaconBlockRoot === undefined ? undefined : hexBytes(parentBeaconBlockRoot),
    requestsHash === undefined ? undefined : hexBytes(requestsHash),
  ];
  const present = items.filter((item) => item !== undefined);
  if (items.slice(0, present.length).includes(undefined)) {
    throw new RlpError("header: an optional field is present without the one before it");
  }
  return present;
}
