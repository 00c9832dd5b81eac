import { type Hash, hexToBytes, type Rlp, toHex } from "@plinth/core";
import { Fields, scalarBytes } from "@plinth/core/blocks";
import type { ForkId } from "@plinth/core/rules";
import { type MessageCodec, notice } from "./message.js";

/** The first message of each node. */
export interface Status {
  readonly version: number;
  readonly networkId: bigint;
  readonly genesisHash: Hash;
  readonly forkId: ForkId;
  readonly headHash: Hash;
  /** Up to eth/68. */
  readonly totalDifficulty?: bigint;
  /** From eth/69 on: the served block range. */
  readonly range?: BlockRange;
}

/** The range of blocks that a node serves. */
export interface BlockRange {
  readonly earliest: bigint;
  readonly latest: bigint;
}

export const STATUS = 0x00;

const FORK_HASH_BYTES = 4;

/** The status message of a version. */
export function statusCodec(version: number): MessageCodec<Status> {
  const form =
    version >= 69
      ? { toRlp: rangedToRlp, fromRlp: rangedFromRlp }
      : { toRlp: weighedToRlp, fromRlp: weighedFromRlp };
  return notice(STATUS, "Status", form);
}

function weighedToRlp(status: Status): Rlp {
  return [
    scalarBytes(BigInt(status.version)),
    scalarBytes(status.networkId),
    scalarBytes(status.totalDifficulty ?? 0n),
    hexToBytes(status.headHash),
    hexToBytes(status.genesisHash),
    forkIdToRlp(status.forkId),
  ];
}

function weighedFromRlp(item: Rlp): Status {
  const fields = new Fields("Status", item);
  const version = Number(fields.uint64("version"));
  const networkId = fields.uint256("networkId");
  const totalDifficulty = fields.uint256("totalDifficulty");
  const headHash = fields.hash("headHash");
  const genesisHash = fields.hash("genesisHash");
  const forkId = forkIdFromRlp(fields.item("forkId"));
  fields.verifyEnd();
  return { version, networkId, totalDifficulty, headHash, genesisHash, forkId };
}

function rangedToRlp(status: Status): Rlp {
  const { earliest, latest } = status.range ?? { earliest: 0n, latest: 0n };
  return [
    scalarBytes(BigInt(status.version)),
    scalarBytes(status.networkId),
    hexToBytes(status.genesisHash),
    forkIdToRlp(status.forkId),
    scalarBytes(earliest),
    scalarBytes(latest),
    hexToBytes(status.headHash),
  ];
}

function rangedFromRlp(item: Rlp): Status {
  const fields = new Fields("Status", item);
  const version = Number(fields.uint64("version"));
  const networkId = fields.uint256("networkId");
  const genesisHash = fields.hash("genesisHash");
  const forkId = forkIdFromRlp(fields.item("forkId"));
  const range = { earliest: fields.uint64("earliest"), latest: fields.uint64("latest") };
  const headHash = fields.hash("headHash");
  fields.verifyEnd();
  return { version, networkId, genesisHash, forkId, range, headHash };
}

function forkIdToRlp({ hash, next }: ForkId): Rlp {
  return [hexToBytes(hash), scalarBytes(next)];
}

function forkIdFromRlp(item: Rlp): ForkId {
  const fields = new Fields("Status.forkId", item);
  const forkId = {
    hash: toHex(fields.fixed("hash", FORK_HASH_BYTES)),
    next: fields.uint64("next"),
  };
  fields.verifyEnd();
  return forkId;
}
