import { type Block, DecodeError, RlpError, t } from "@plinth/core";
import { decodeBlock, decodeReceipts } from "@plinth/core/blocks";
import type { FollowedBlock, ReportedAccount } from "@plinth/core/chain";
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

function decodeHex<T>(json: unknown, path: string, decode: (bytes: Uint8Array) => T): T {
  const bytes = bytesIn(json, path);
  try {
    return decode(bytes);
  } catch (error) {
    if (!(error instanceof RlpError)) throw error;
    throw new DecodeError(path, `its encoding: ${error.message}`);
  }
}

/** The bytes of long hex digits: decoding ends at the first character that is none. */
function bytesIn(json: unknown, path: string): Uint8Array {
  if (typeof json === "string" && json.startsWith("0x")) {
    const bytes = Buffer.from(json.slice(2), "hex");
    if (2 * bytes.length === json.length - 2) return bytes;
  }
  throw new DecodeError(path, "hex data such as 0x00ff");
}

function readAccount(json: unknown, path: string): ReportedAccount {
  const { key, address, deleted, nonce, balance, storageRoot, codeHash, code, cleared, slots } =
    Object(json);
  return {
    ...(address === undefined && { key: t.hash.decode(key, `${path}.key`) }),
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

function readSlot(json: unknown, path: string): ReportedAccount["slots"][number] {
  const { key, slot, value } = Object(json);
  return {
    ...(slot === undefined && { key: t.hash.decode(key, `${path}.key`) }),
    slot: slot === undefined ? undefined : t.hash.decode(slot, `${path}.slot`),
    value: t.quantity.decode(value, `${path}.value`),
  };
}

function listIn(json: unknown, path: string): readonly unknown[] {
  if (Array.isArray(json)) return json;
  throw new DecodeError(path, "a list");
}
