import { type Block, DecodeError, InvalidTransaction, RlpError, t, Yielder } from "@plinth/core";
import { decodeReceiptsInTurns, openBlock } from "@plinth/core/blocks";
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

/** Decodes the JSON of a change, yielding to the event loop; rejects with `DecodeError` if it is malformed. */
export async function readChange(json: unknown): Promise<ReadChange> {
  const record = readRecord(json);
  if (record.kind === "removed") return { record, followed: undefined };
  const { block, receipts, state } = Object(json);
  const turns = new Yielder("chain");
  return {
    record,
    followed: {
      block: await decodeHex(block, "block", decodeBlockInTurns),
      receipts: await decodeHex(receipts, "receipts", decodeReceiptsInTurns),
      accounts: await readList(Object(state).accounts, "state.accounts", (account, path) =>
        readAccount(account, path, turns),
      ),
    },
  };
}

/** Decodes a record without what its block changed; rejects with `DecodeError` if it is malformed. */
export async function readWithBlock(json: unknown): Promise<ReadRecord> {
  const record = readRecord(json);
  if (record.kind === "removed") return { record, block: undefined };
  return { record, block: await decodeHex(Object(json).block, "block", decodeBlockInTurns) };
}

async function decodeBlockInTurns(bytes: Uint8Array): Promise<Block> {
  const { header, readBody } = openBlock(bytes);
  return { header, body: await readBody() };
}

async function decodeHex<T>(
  json: unknown,
  path: string,
  decode: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  const bytes = bytesIn(json, path);
  try {
    return await decode(bytes);
  } catch (error) {
    if (!(error instanceof RlpError || error instanceof InvalidTransaction)) throw error;
    throw new DecodeError(path, `bytes that can be decoded (${error.message})`);
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

async function readAccount(json: unknown, path: string, turns: Yielder): Promise<ReportedAccount> {
  const { key, address, deleted, nonce, balance, storageRoot, codeHash, code, cleared, slots } =
    Object(json);
  if (turns.isDue) await turns.yield();
  return {
    ...(address === undefined && { key: t.hash.decode(key, `${path}.key`) }),
    address: address === undefined ? undefined : t.address.decode(address, `${path}.address`),
    account:
      deleted === true
        ? undefined
        : {
            nonce: t.uint64.decode(nonce, `${path}.nonce`),
            balance: t.quantity.decode(balance, `${path}.balance`),
            storageRoot: t.hash.decode(storageRoot, `${path}.storageRoot`),
            codeHash: t.hash.decode(codeHash, `${path}.codeHash`),
          },
    code: code === undefined ? undefined : t.data.decode(code, `${path}.code`),
    isCleared: cleared === true,
    slots:
      slots === undefined
        ? []
        : await readList(slots, `${path}.slots`, (slot, at) => {
            const read = readSlot(slot, at);
            return turns.isDue ? turns.yield().then(() => read) : read;
          }),
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

async function readList<T>(
  json: unknown,
  path: string,
  read: (item: unknown, path: string) => T | Promise<T>,
): Promise<readonly T[]> {
  if (!Array.isArray(json)) throw new DecodeError(path, "a list");
  const all: T[] = [];
  for (const [index, item] of json.entries()) {
    const found = read(item, `${path}[${index}]`);
    all.push(found instanceof Promise ? await found : found);
  }
  return all;
}
