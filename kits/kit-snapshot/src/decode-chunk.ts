import {
  encodeAccount,
  encodeSlotValue,
  TrieBuilder,
  type VerifiedRange,
  verifyRange,
} from "@plinth/chain";
import {
  decodeRlp,
  EMPTY_ROOT,
  type Hash,
  keccak256,
  messageOf,
  type Rlp,
  RlpError,
  toHex,
} from "@plinth/core";
import { Fields } from "@plinth/core/blocks";
import type { RangeEntry } from "@plinth/core/chain";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import type { StateFile } from "./manifest.js";
import { invalid } from "./snapshot-error.js";
import type { ChunkAccount, ChunkSlot, StateChunk } from "./state-chunk.js";
import {
  formatPosition,
  KEY_BYTES,
  keyAfter,
  parsePosition,
  type StatePosition,
} from "./state-position.js";

const ADDRESS_BYTES = 20;
/** More than a chunk has: a slot takes three items, and 32 bytes of the size that is planned. */
const MAX_SMALL_ITEMS = 2 ** 18;
const FIRST_KEY = new Uint8Array(KEY_BYTES);

/**
 * Decodes a chunk and verifies it against the root of the state: it contains all that the state has
 * from the start of the file to its end. Throws `SnapshotError`.
 */
export function decodeChunk(bytes: Uint8Array, stateRoot: Hash, file: StateFile): StateChunk {
  try {
    const { chunk, end } = readChunk(bytes, stateRoot, parsePosition(file.from));
    const to = end && formatPosition(end);
    if (to !== file.to) {
      throw new RangeError(
        `it ends at ${to ?? "the end of the state"}, the manifest has ${file.to ?? "no end"}`,
      );
    }
    return chunk;
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof RlpError)) throw error;
    throw invalid(file.name, messageOf(error), error);
  }
}

interface ReadChunk {
  readonly chunk: StateChunk;
  /** Where the next chunk starts; `undefined` at the end of the state. */
  readonly end: StatePosition | undefined;
}

function readChunk(bytes: Uint8Array, stateRoot: Hash, from: StatePosition): ReadChunk {
  const fields = new Fields("chunk", decodeRlp(bytes, { smallItems: MAX_SMALL_ITEMS }));
  const items = fields.list("accounts");
  const proof = readProof(fields.list("proof"));
  const isPart = fields.hasMore();
  const part = isPart
    ? { root: fields.hash("storageRoot"), proof: readProof(fields.list("storageProof")) }
    : undefined;
  fields.verifyEnd();

  const accounts = items.map((item) => readAccount(item, part?.root));
  const last = accounts.at(-1);
  if (last === undefined) throw new RangeError("it has no accounts");
  const entries = accounts.map(({ key, account }) => ({ key, value: encodeAccount(account) }));
  const { hasMore } = verifyProof(stateRoot, { origin: from.account, entries, proof });
  const next = hasMore ? keyAfter(last.key) : undefined;
  const end = next && { account: next };
  if (part === undefined) {
    if (from.slot !== undefined) throw new RangeError("it is not a part of a storage");
    return { chunk: { accounts }, end };
  }

  if (accounts.length > 1) throw new RangeError("it has a part of a storage and several accounts");
  if (from.slot !== undefined && Buffer.compare(last.key, from.account) !== 0) {
    throw new RangeError(`it is a part of the storage of ${toHex(last.key)}`);
  }
  const slots = last.slots.map(({ key, value }) => ({ key, value: encodeSlotValue(value) }));
  const lastSlot = slots.at(-1);
  if (lastSlot === undefined) throw new RangeError("it has no slots");
  const storage = verifyProof(part.root, {
    origin: from.slot ?? FIRST_KEY,
    entries: slots,
    proof: part.proof,
  });
  const nextSlot = storage.hasMore ? keyAfter(lastSlot.key) : undefined;
  return {
    chunk: { accounts },
    end: nextSlot === undefined ? end : { account: last.key, slot: nextSlot },
  };
}

function verifyProof(
  root: Hash,
  range: {
    readonly origin: Uint8Array;
    readonly entries: readonly RangeEntry[];
    readonly proof: readonly Uint8Array[];
  },
): VerifiedRange {
  const verified = verifyRange(root, range);
  if (verified.nodes !== range.proof.length)
    throw new RangeError("its proof has other nodes as well");
  return verified;
}

function readAccount(item: Rlp, partOf: Hash | undefined): ChunkAccount {
  const fields = new Fields("account", item);
  const identity = fields.bytes("key");
  const isAddress = identity.length === ADDRESS_BYTES;
  if (!isAddress && identity.length !== KEY_BYTES) {
    throw new RlpError(
      `account.key: ${identity.length} bytes, expected ${ADDRESS_BYTES} or ${KEY_BYTES}`,
    );
  }
  const nonce = fields.uint64("nonce");
  const balance = fields.uint256("balance");
  const codeHash = readCodeHash(fields.bytes("codeHash"));
  const slots = fields.list("slots").map(readSlot);
  fields.verifyEnd();
  return {
    key: isAddress ? keccak256(identity) : identity,
    ...(isAddress && { address: toHex(identity) }),
    account: { nonce, balance, codeHash, storageRoot: partOf ?? rootOf(slots) },
    slots,
  };
}

function readCodeHash(bytes: Uint8Array): Hash {
  if (bytes.length === 0) return EMPTY_CODE_HASH;
  const hash = toHex(bytes);
  if (bytes.length !== KEY_BYTES || hash === EMPTY_CODE_HASH) {
    throw new RlpError(`account.codeHash: ${hash}, expected 32 bytes, or none without code`);
  }
  return hash;
}

function readSlot(item: Rlp): ChunkSlot {
  const fields = new Fields("slot", item);
  const identity = fields.bytes("key");
  const value = fields.uint256("value");
  fields.verifyEnd();
  if (value === 0n) throw new RlpError("slot.value: 0, expected a number above 0");
  if (identity[0] === 0) {
    if (identity.length !== 1 + KEY_BYTES) {
      throw new RlpError(`slot.key: ${identity.length} bytes, expected ${1 + KEY_BYTES}`);
    }
    return { key: identity.subarray(1), value };
  }
  if (identity.length > KEY_BYTES) {
    throw new RlpError(`slot.key: ${identity.length} bytes, expected at most ${KEY_BYTES}`);
  }
  const slot = new Uint8Array(KEY_BYTES);
  slot.set(identity, KEY_BYTES - identity.length);
  return { key: keccak256(slot), slot: toHex(slot), value };
}

function rootOf(slots: readonly ChunkSlot[]): Hash {
  if (slots.length === 0) return EMPTY_ROOT;
  const trie = new TrieBuilder(() => {});
  for (const { key, value } of slots) trie.add(key, encodeSlotValue(value));
  return trie.finish();
}

function readProof(items: readonly Rlp[]): readonly Uint8Array[] {
  return items.map((item) => {
    if (item instanceof Uint8Array) return item;
    throw new RlpError("proof: a list, expected bytes");
  });
}
