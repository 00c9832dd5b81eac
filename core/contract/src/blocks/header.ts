import { BLOOM_BYTES, type Bloom } from "../primitives/bloom.js";
import type { Address, Hash } from "../primitives/hex.js";
import { keccakHash } from "../primitives/keccak.js";
import { decodeRlp, encodeRlp, type Rlp, RlpError } from "../primitives/rlp.js";
import { Fields, hexBytes, scalarBytes } from "./fields.js";

/** A block header as the protocol writes it; each optional field came with a fork and needs those before it. */
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
  /** Since EIP-4399 the randomness of the beacon chain. */
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

/** A header together with the hash its engine gives it. */
export type SealedHeader = Header & { readonly hash: Hash };

const NONCE_BYTES = 8;
/** RLP: beyond this the first byte says how many bytes the length has. */
const LONG_LIST = 0xf7;
/** Five hashes and an address with a prefix of one byte, and the three bytes of the bloom's own prefix. */
const BYTES_BEFORE_BLOOM = 5 * 33 + 21 + 3;

/** Puts a header and the hash its engine gives it together. */
export function sealHeader(header: Header, hash: Hash): SealedHeader {
  return { ...header, hash };
}

/**
 * The Keccak hash of the encoded header, with other extra data if some is given.
 *
 * Only the engine knows whether this is the hash of the block.
 */
export function keccakHeader(header: Header, extraData = header.extraData): Hash {
  return keccakHash(encodeHeader({ ...header, extraData }));
}

/** Writes a header as bytes. */
export function encodeHeader(header: Header): Uint8Array {
  return encodeRlp(headerToRlp(header));
}

/** Reads a header; anything but the one encoding of a header is refused with `RlpError`. */
export function decodeHeader(bytes: Uint8Array): Header {
  return headerFromRlp(decodeRlp(bytes));
}

/**
 * The bloom of an encoded header, without reading the rest.
 *
 * The six fields before it are hashes and an address, so only the prefix of the list varies.
 */
export function bloomOfHeader(bytes: Uint8Array): Bloom {
  const start = 1 + ((bytes[0] ?? 0) - LONG_LIST) + BYTES_BEFORE_BLOOM;
  return bytes.subarray(start, start + BLOOM_BYTES);
}

/** Writes a header as the list that is part of a block. */
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

/** Reads the list that is part of a block. */
export function headerFromRlp(item: Rlp): Header {
  const fields = new Fields("header", item);
  const header: Header = {
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
    ...(fields.hasMore() && { baseFeePerGas: fields.uint256("baseFeePerGas") }),
    ...(fields.hasMore() && { withdrawalsRoot: fields.hash("withdrawalsRoot") }),
    ...(fields.hasMore() && { blobGasUsed: fields.uint64("blobGasUsed") }),
    ...(fields.hasMore() && { excessBlobGas: fields.uint64("excessBlobGas") }),
    ...(fields.hasMore() && { parentBeaconBlockRoot: fields.hash("parentBeaconBlockRoot") }),
    ...(fields.hasMore() && { requestsHash: fields.hash("requestsHash") }),
  };
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
    throw new RlpError("header: an optional field is there, one that comes before it is not");
  }
  return present;
}
