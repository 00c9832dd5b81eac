import { encodeAccount, InvalidRange, verifyRange } from "@plinth/chain";
import { decodeRlp, EMPTY_ROOT, type Hash, PeerError, RlpError, toHex } from "@plinth/core";
import { Fields } from "@plinth/core/blocks";
import type { RangeEntry, StoredAccount } from "@plinth/core/chain";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { type AccountResponse, HASH_BYTES } from "@plinth/plugin-protocol-snap/api";
import { nextKey } from "./keys.js";

/** An account of the state, and its key. */
export interface KeyedAccount {
  readonly key: Uint8Array;
  readonly account: StoredAccount;
}

/** All accounts of a state from a key to another. */
export interface AccountRange {
  readonly accounts: readonly KeyedAccount[];
  /** Where the next range starts; `undefined` at the end of the state. */
  readonly next: Uint8Array | undefined;
}

/**
 * Verifies accounts against the root of the state; `undefined` if the peer does not have the state.
 * Throws `PeerError`.
 */
export function verifyAccounts(
  { accounts: slim, proof }: AccountResponse,
  { root, origin }: { readonly root: Hash; readonly origin: Uint8Array },
): AccountRange | undefined {
  if (slim.length === 0 && proof.length === 0) return undefined;
  return blamePeer("accounts", () => {
    const accounts = slim.map(({ key, value }) => ({ key, account: decodeSlim(value) }));
    const entries = accounts.map(({ key, account }) => ({ key, value: encodeAccount(account) }));
    const { hasMore } = verifyRange(root, { origin, entries, proof });
    const last = accounts.at(-1);
    return { accounts, next: hasMore && last !== undefined ? nextKey(last.key) : undefined };
  });
}

/** Verifies slots against the root of a storage; returns where the next ones start. Throws `PeerError`. */
export function verifySlots(
  root: Hash,
  range: {
    readonly origin: Uint8Array;
    readonly entries: readonly RangeEntry[];
    readonly proof: readonly Uint8Array[];
  },
): Uint8Array | undefined {
  return blamePeer("slots", () => {
    const { hasMore } = verifyRange(root, range);
    const last = range.entries.at(-1);
    return hasMore && last !== undefined ? nextKey(last.key) : undefined;
  });
}

function blamePeer<T>(what: string, verify: () => T): T {
  try {
    return verify();
  } catch (error) {
    if (!(error instanceof InvalidRange || error instanceof RlpError)) throw error;
    throw new PeerError("breach-of-protocol", `its ${what} are wrong: ${error.message}`, error);
  }
}

/** An account without the root of an empty storage and the hash of no code. */
function decodeSlim(value: Uint8Array): StoredAccount {
  const fields = new Fields("account", decodeRlp(value));
  const account = {
    nonce: fields.uint64("nonce"),
    balance: fields.uint256("balance"),
    storageRoot: hashOr(fields.bytes("storageRoot"), EMPTY_ROOT),
    codeHash: hashOr(fields.bytes("codeHash"), EMPTY_CODE_HASH),
  };
  fields.verifyEnd();
  return account;
}

function hashOr(bytes: Uint8Array, usual: Hash): Hash {
  if (bytes.length === 0) return usual;
  if (bytes.length === HASH_BYTES) return toHex(bytes);
  throw new RlpError(`account: a hash of ${bytes.length} bytes, expected ${HASH_BYTES}`);
}
