import { decodeRlp, encodeRlp, type Hash, hexToBytes } from "@plinth/core";
import { Fields } from "@plinth/core/blocks";

const NUMBER_BYTES = 8;
const GROUP_BYTES = 32;

/** Why a private transaction was not executed. */
export const UNKNOWN_GROUP = "payload for a group unknown to this manager";
export const LOST_PAYLOAD =
  "the payload was sent to this node, but its manager does not have it: plinth enclave resend";

/** A group unknown to the manager, and the sender of a payload for it. */
export interface UnknownGroup {
  readonly id: Uint8Array;
  readonly senderKey: Uint8Array;
}

/** A marker whose private transaction was not executed, although it may be for this node. */
export interface UnresolvedMarker {
  readonly number: bigint;
  readonly blockHash: Hash;
  /** Transaction index in the block. */
  readonly index: number;
  readonly marker: Hash;
  readonly payloadKey: Uint8Array;
  /** The group of the payload, unknown to the manager; omitted if the manager has no payload. */
  readonly unknownGroup?: UnknownGroup;
  /** Whether another manager reports that it has sent the payload to this one. */
  readonly isLost: boolean;
}

export function unresolvedKey({
  number,
  index,
}: Pick<UnresolvedMarker, "number" | "index">): Uint8Array {
  const key = Buffer.alloc(NUMBER_BYTES + 4);
  key.writeBigUInt64BE(number);
  key.writeUInt32BE(index, NUMBER_BYTES);
  return new Uint8Array(key);
}

export function encodeUnresolved(entry: UnresolvedMarker): Uint8Array {
  const { blockHash, marker, payloadKey, unknownGroup, isLost } = entry;
  return encodeRlp([
    hexToBytes(blockHash),
    hexToBytes(marker),
    payloadKey,
    unknownGroup === undefined ? [] : [unknownGroup.id, unknownGroup.senderKey],
    Uint8Array.of(isLost ? 1 : 0),
  ]);
}

export function decodeUnresolved(key: Uint8Array, bytes: Uint8Array): UnresolvedMarker {
  const place = Buffer.from(key);
  const fields = new Fields("marker without a private transaction", decodeRlp(bytes));
  const blockHash = fields.hash("blockHash");
  const marker = fields.hash("marker");
  const payloadKey = fields.fixed("payloadKey", GROUP_BYTES);
  const [id, senderKey] = fields.list("unknownGroup");
  return {
    number: place.readBigUInt64BE(0),
    index: place.readUInt32BE(NUMBER_BYTES),
    blockHash,
    marker,
    payloadKey,
    ...(id instanceof Uint8Array && senderKey instanceof Uint8Array
      ? { unknownGroup: { id, senderKey } }
      : {}),
    isLost: fields.fixed("isLost", 1)[0] === 1,
  };
}
