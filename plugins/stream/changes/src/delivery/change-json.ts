import { type Codec, DecodeError, encodeBlock, t, toHex, toQuantity } from "@plinth/core";
import { encodeReceipts } from "@plinth/core/blocks";
import type { ChangedAccount } from "@plinth/core/chain";
import type { ChangeKind, ChangeRecord } from "../records/change-record.js";
import type { StreamDescriptor } from "../records/stored-stream.js";
import type { AddedBlock, LoadedChange } from "../service.js";

const kind: Codec<ChangeKind> = {
  decode(json, path = "") {
    if (json === "added" || json === "removed") return json;
    throw new DecodeError(path, '"added" or "removed"');
  },
  encode: (value) => value,
  schema: { enum: ["added", "removed"] },
};

/** A record as JSON. */
const record = t.object({
  sequence: t.quantity,
  hash: t.hash,
  previous: t.hash,
  kind,
  number: t.quantity,
  blockHash: t.hash,
});

/** A stream as JSON. */
export const descriptor = t.object({
  id: t.hash,
  number: t.quantity,
  hash: t.hash,
  firstSequence: t.quantity,
  firstBlock: t.optional(t.quantity),
  lastSequence: t.quantity,
  lastHash: t.hash,
});

/** Reads the record of the JSON of a change; throws `DecodeError` if it has none. */
export function readRecord(json: unknown): ChangeRecord {
  return record.decode(json);
}

/** Reads the JSON of the description of a stream; throws `DecodeError` if it is none. */
export function readDescriptor(json: unknown): StreamDescriptor {
  return descriptor.decode(json);
}

/** The JSON of a record with what it is about. */
export function formatChange({ record: content, added }: LoadedChange): object {
  return Object.assign({}, record.encode(content), added && formatAdded(added));
}

function formatAdded({ block, receipts, state }: AddedBlock): object {
  return {
    block: toHex(encodeBlock(block)),
    receipts: toHex(encodeReceipts(receipts)),
    ...(state && { state: { accounts: state.map(formatAccount) } }),
  };
}

/** The address or, if it is unknown, its hash. */
function formatAccount({ key, address, account, code, isCleared, slots }: ChangedAccount): object {
  return {
    ...(address === undefined ? { key } : { address }),
    ...(account === undefined
      ? { deleted: true }
      : {
          nonce: toQuantity(account.nonce),
          balance: toQuantity(account.balance),
          storageRoot: account.storageRoot,
          codeHash: account.codeHash,
        }),
    ...(code && { code: toHex(code) }),
    ...(isCleared && { cleared: true }),
    ...(slots.length > 0 && {
      slots: slots.map(({ key, slot, value }) => ({
        ...(slot === undefined ? { key } : { slot }),
        value: toQuantity(value),
      })),
    }),
  };
}
