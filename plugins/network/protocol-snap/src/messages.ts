import { decodeRlp, encodeRlp, type Hash, type Rlp, RlpError } from "@plinth/core";
import { Fields, scalarBytes } from "@plinth/core/blocks";

/** The codes of snap/1; a response has the code after its request. */
export const CODES = {
  getAccountRange: 0x00,
  getStorageRanges: 0x02,
  getByteCodes: 0x04,
  getTrieNodes: 0x06,
} as const;

/** The number of codes. */
export const LENGTH = 8;

/** The length of a hash. */
export const HASH_BYTES = 32;

/** What every request has. */
interface Request {
  readonly id: bigint;
  /** Maximum size of the response. */
  readonly bytes: bigint;
}

/** Accounts of a state from a hash on. */
export interface AccountRangeRequest extends Request {
  readonly root: Hash;
  readonly origin: Uint8Array;
  readonly limit: Uint8Array;
}

/** Slots of accounts of a state; the range applies to the first account. */
export interface StorageRangesRequest extends Request {
  readonly root: Hash;
  readonly accounts: readonly Uint8Array[];
  readonly origin: Uint8Array | undefined;
  readonly limit: Uint8Array | undefined;
}

/** Codes by their hashes. */
export interface ByteCodesRequest extends Request {
  readonly hashes: readonly Hash[];
}

/** Nodes of tries by their paths: of the account trie alone, or an account and paths of its storage. */
export interface TrieNodesRequest extends Request {
  readonly root: Hash;
  readonly paths: readonly (readonly Uint8Array[])[];
}

export function decodeAccountRangeRequest(payload: Uint8Array): AccountRangeRequest {
  const fields = open("GetAccountRange", payload);
  const request = {
    id: fields.uint64("id"),
    root: fields.hash("root"),
    origin: fields.fixed("origin", HASH_BYTES),
    limit: fields.fixed("limit", HASH_BYTES),
    bytes: fields.uint64("bytes"),
  };
  fields.verifyEnd();
  return request;
}

export function decodeStorageRangesRequest(payload: Uint8Array): StorageRangesRequest {
  const fields = open("GetStorageRanges", payload);
  const request = {
    id: fields.uint64("id"),
    root: fields.hash("root"),
    accounts: fields.list("accounts").map((item) => bytesOf(item, "account", HASH_BYTES)),
    origin: optionalHash(fields.bytes("origin")),
    limit: optionalHash(fields.bytes("limit")),
    bytes: fields.uint64("bytes"),
  };
  fields.verifyEnd();
  return request;
}

export function decodeByteCodesRequest(payload: Uint8Array): ByteCodesRequest {
  const fields = open("GetByteCodes", payload);
  const request = {
    id: fields.uint64("id"),
    hashes: fields.hashes("hashes"),
    bytes: fields.uint64("bytes"),
  };
  fields.verifyEnd();
  return request;
}

export function decodeTrieNodesRequest(payload: Uint8Array): TrieNodesRequest {
  const fields = open("GetTrieNodes", payload);
  const request = {
    id: fields.uint64("id"),
    root: fields.hash("root"),
    paths: fields.list("paths").map(pathsOf),
    bytes: fields.uint64("bytes"),
  };
  fields.verifyEnd();
  return request;
}

/** Encodes a response. */
export function encodeResponse(id: bigint, body: readonly Rlp[]): Uint8Array {
  return encodeRlp([scalarBytes(id), ...body]);
}

function open(name: string, payload: Uint8Array): Fields {
  return new Fields(name, decodeRlp(payload));
}

function pathsOf(item: Rlp): readonly Uint8Array[] {
  if (item instanceof Uint8Array || item.length === 0) {
    throw new RlpError("GetTrieNodes.paths: expected lists of at least one path");
  }
  return item.map((path) => bytesOf(path, "path"));
}

function bytesOf(item: Rlp, name: string, length?: number): Uint8Array {
  if (!(item instanceof Uint8Array)) throw new RlpError(`${name}: a list, expected bytes`);
  if (length === undefined || item.length === length) return item;
  throw new RlpError(`${name}: ${item.length} bytes, expected ${length}`);
}

/** Empty if there is no bound. */
function optionalHash(bytes: Uint8Array): Uint8Array | undefined {
  return bytes.length === 0 ? undefined : bytesOf(bytes, "bound", HASH_BYTES);
}
