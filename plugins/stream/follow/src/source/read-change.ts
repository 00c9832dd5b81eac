import {
  type Block,
  DecodeError,
  decodeRlp,
  type Hash,
  type Receipt,
  RlpError,
  t,
} from "@plinth/core";
import { decodeBlock, receiptFromRlp } from "@plinth/core/blocks";
import type { ChangedAccount, FollowedBlock, RangedSlot } from "@plinth/core/chain";
import { keccakHash } from "@plinth/core/primitives";
import { type ChangeRecord, readRecord } from "@plinth/plugin-changes/api";

/** A record of a stream; of an added block with the block and what it changed. */
export interface ReadChange {
  readonly record: ChangeRecord;
  readonly followed: FollowedBlock | undefined;
}

/** A record of a stream; of an added block with the block. */
export interface ReadRecord {
  readonly record: ChangeRecord;
  readonly block: Block | undefined;
}

/** Decodes the JSON of a change; throws `DecodeError` if it is malformed. */
export function readChange(json: unknown): ReadChange {
  const record = readRecord(json);
  if (record.kind === "removed") return { record, followed: undefined };
  const { block, receipts, state } = Object(json);
  return {
    record,
    followed: {
      block: decodeHex(block, "block", decodeBlock),
      receipts: decodeHex(receipts, "receipts", decodeReceipts),
      accounts: listIn(Object(state).accounts, "state.accounts").map((account, index) =>
        readAccount(account, `state.accounts[${index}]`),
      ),
    },
  };
}

/** Decodes a record without what its block changed; throws `DecodeError` if it is malformed. */
export function readWithBlock(json: unknown): ReadRecord {
  const record = readRecord(json);
  if (record.kind === "removed") return { record, block: undefined };
  return { record, block: decodeHex(Object(json).block, "block", decodeBlock) };
}

function decodeReceipts(bytes: Uint8Array): readonly Receipt[] {
  const items = decodeRlp(bytes);
  if (items instanceof Uint8Array) throw new RlpError("expected a list of receipts");
  return items.map(receiptFromRlp);
}

function decodeHex<T>(json: unknown, path: string, decode: (bytes: Uint8Array) => T): T {
  const bytes = t.data.decode(json, path);
  try {
    return decode(bytes);
  } catch (error) {
    if (!(error instanceof RlpError)) throw error;
    throw new DecodeError(path, `its encoding: ${error.message}`);
  }
}

function readAccount(json: unknown, path: string): ChangedAccount {
  const { key, address, deleted, nonce, balance, storageRoot, codeHash, code, cleared, slots } =
    Object(json);
  return {
    key: readKey(key, address, path),
    address: address === undefined ? undefined : t.address.decode(address, `${path}.address`),
    account:
      deleted === true
        ? undefined
        : {
            nonce: t.quantity.decode(nonce, `${path}.nonce`),
            balance: t.quantity.decode(balance, `${path}.balance`),
            storageRoot: t.hash.decode(storageRoot, `${path}.storageRoot`),
            codeHash: t.hash.decode(codeHash, `${path}.codeHash`),
          },
    code: code === undefined ? undefined : t.data.decode(code, `${path}.code`),
    isCleared: cleared === true,
    slots:
      slots === undefined
        ? []
        : listIn(slots, `${path}.slots`).map((slot, index) =>
            readSlot(slot, `${path}.slots[${index}]`),
          ),
  };
}

function readSlot(json: unknown, path: string): RangedSlot {
  const { key, slot, value } = Object(json);
  return {
    key: readKey(key, slot, path),
    slot: slot === undefined ? undefined : t.hash.decode(slot, `${path}.slot`),
    value: t.quantity.decode(value, `${path}.value`),
  };
}

/** The hash of an address or a slot, or the one that stands for it. */
function readKey(key: unknown, preimage: unknown, path: string): Hash {
  if (preimage === undefined) return t.hash.decode(key, `${path}.key`);
  return keccakHash(t.data.decode(preimage, path));
}

function listIn(json: unknown, path: string): readonly unknown[] {
  if (Array.isArray(json)) return json;
  throw new DecodeError(path, "a list");
}
