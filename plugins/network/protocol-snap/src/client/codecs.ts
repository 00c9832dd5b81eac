import { decodeRlp, encodeRlp, type Hash, hexToBytes, type Rlp, RlpError } from "@plinth/core";
import { Fields, scalarBytes } from "@plinth/core/blocks";
import type { RangeEntry } from "@plinth/core/chain";
import type { RequestKind, Tagged } from "@plinth/plugin-protocol-eth/api";
import { CODES, HASH_BYTES } from "../messages.js";

/** Accounts of a state from a key on. */
export interface AccountQuery {
  readonly root: Hash;
  readonly origin: Uint8Array;
  /** Where the response may end; a request has no other limit. */
  readonly bytes: number;
}

/** Slots of accounts; the origin applies to the first account. */
export interface StorageQuery extends AccountQuery {
  readonly accounts: readonly Uint8Array[];
}

/** Codes by their hashes. */
export interface CodeQuery {
  readonly hashes: readonly Hash[];
  readonly bytes: number;
}

/** Accounts in slim form, not verified yet, and what is to prove them. */
export interface AccountResponse {
  readonly accounts: readonly RangeEntry[];
  readonly proof: readonly Uint8Array[];
}

/** Slots of accounts in the order of the request; the proof is that of the last list. */
export interface StorageResponse {
  readonly slots: readonly (readonly RangeEntry[])[];
  readonly proof: readonly Uint8Array[];
}

const LAST_KEY = new Uint8Array(HASH_BYTES).fill(0xff);
/** An entry has a key of 33 bytes, and at most seven items. */
const LIMITS = { minItemBytes: 4, smallItems: 1024 };

export const accountRange: RequestKind<AccountQuery, AccountResponse> = kind({
  code: CODES.getAccountRange,
  names: ["GetAccountRange", "AccountRange"],
  encode: ({ root, origin, bytes }) => [
    hexToBytes(root),
    origin,
    LAST_KEY,
    scalarBytes(BigInt(bytes)),
  ],
  decode: (fields) => ({
    accounts: fields.list("accounts").map((item) => {
      const [key, value] = pairOf(item, "account");
      if (value instanceof Uint8Array) throw new RlpError("account: bytes, expected a list");
      return { key, value: encodeRlp(value) };
    }),
    proof: proofOf(fields),
  }),
});

export const storageRanges: RequestKind<StorageQuery, StorageResponse> = kind({
  code: CODES.getStorageRanges,
  names: ["GetStorageRanges", "StorageRanges"],
  encode: ({ root, accounts, origin, bytes }) => [
    hexToBytes(root),
    accounts,
    origin,
    LAST_KEY,
    scalarBytes(BigInt(bytes)),
  ],
  decode: (fields) => ({
    slots: fields.list("slots").map((list) =>
      new Fields("slots", [list]).list("slots").map((item) => {
        const [key, value] = pairOf(item, "slot");
        if (!(value instanceof Uint8Array)) throw new RlpError("slot: a list, expected bytes");
        return { key, value };
      }),
    ),
    proof: proofOf(fields),
  }),
});

export const byteCodes: RequestKind<CodeQuery, readonly Uint8Array[]> = kind({
  code: CODES.getByteCodes,
  names: ["GetByteCodes", "ByteCodes"],
  encode: ({ hashes, bytes }) => [
    hashes.map((hash) => hexToBytes(hash)),
    scalarBytes(BigInt(bytes)),
  ],
  decode: (fields) => fields.list("codes").map(bytesOf),
});

interface Form<Q, A> {
  /** That of the request. */
  readonly code: number;
  readonly names: readonly [string, string];
  encode(query: Q): readonly Rlp[];
  decode(fields: Fields): A;
}

function kind<Q, A>({ code, names: [asked, received], encode, decode }: Form<Q, A>) {
  const read = (payload: Uint8Array): Tagged<A> => {
    const fields = new Fields(received, decodeRlp(payload, LIMITS));
    const id = fields.uint64("id");
    const body = decode(fields);
    fields.verifyEnd();
    return { id, body };
  };
  const unused = () => {
    throw new RlpError(`${asked} is not a message of this direction`);
  };
  return {
    ask: {
      code,
      name: asked,
      encode: ({ id, body }: Tagged<Q>) => encodeRlp([scalarBytes(id), ...encode(body)]),
      decode: unused,
    },
    response: {
      code: code + 1,
      name: received,
      encode: unused,
      decode: read,
      decodeInTurns: async (payload: Uint8Array) => read(payload),
    },
  };
}

function proofOf(fields: Fields): readonly Uint8Array[] {
  return fields.list("proof").map(bytesOf);
}

function pairOf(item: Rlp, name: string): readonly [Uint8Array, Rlp] {
  const fields = new Fields(name, item);
  const key = fields.fixed("key", HASH_BYTES);
  const value = fields.item("value");
  fields.verifyEnd();
  return [key, value];
}

function bytesOf(item: Rlp): Uint8Array {
  if (item instanceof Uint8Array) return item;
  throw new RlpError("a list, expected bytes");
}
