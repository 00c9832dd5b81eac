import {
  type Block,
  type Body,
  decodeRlp,
  type Hash,
  type Header,
  hexToBytes,
  type Rlp,
  RlpError,
  toHex,
} from "@plinth/core";
import {
  blockFromRlp,
  blockToRlp,
  bodyFromRlp,
  bodyToRlp,
  decodeBodyInTurns,
  Fields,
  headerFromRlp,
  headerToRlp,
  openBlock,
  scalarBytes,
  type UnreadBlock,
} from "@plinth/core/blocks";
import { rlpItems } from "@plinth/core/primitives";
import { hashes, listOf, notice, tagged } from "./message.js";
import type { BlockRange } from "./status.js";

/** The requested headers. */
export interface HeaderRequest {
  readonly start: Hash | bigint;
  readonly limit: bigint;
  /** Number of blocks to skip between two headers. */
  readonly skip: bigint;
  /** Towards the genesis block. */
  readonly reverse: boolean;
}

/** A block announced by its hash. */
export interface BlockAnnouncement {
  readonly hash: Hash;
  readonly number: bigint;
}

/** An unsolicited block. */
export interface NewBlock {
  readonly block: Block;
  /** Total difficulty of the chain including this block. */
  readonly totalDifficulty: bigint;
}

/** The range of blocks that a peer serves, and the hash of the latest. */
export interface RangeUpdate extends BlockRange {
  readonly latestHash: Hash;
}

const HASH_BYTES = 32;
/** Enough for the seals of a thousand validators. */
const MAX_HEADER_BYTES = 128 * 1024;

export const newBlockHashes = notice(
  0x01,
  "NewBlockHashes",
  listOf<BlockAnnouncement>(
    ({ hash, number }) => [hexToBytes(hash), scalarBytes(number)],
    (item) => {
      const fields = new Fields("NewBlockHashes", item);
      const announcement = { hash: fields.hash("hash"), number: fields.uint64("number") };
      fields.verifyEnd();
      return announcement;
    },
  ),
);

export const getBlockHeaders = tagged<HeaderRequest>(0x03, "GetBlockHeaders", {
  toRlp: ({ start, limit, skip, reverse }) => [
    typeof start === "bigint" ? scalarBytes(start) : hexToBytes(start),
    scalarBytes(limit),
    scalarBytes(skip),
    scalarBytes(reverse ? 1n : 0n),
  ],
  fromRlp: headerRequestFromRlp,
});

export const blockHeaders = tagged(
  0x04,
  "BlockHeaders",
  listOf<Header>(headerToRlp, headerFromRlp, (bytes) => {
    verifyHeaderLength(bytes.length);
    return headerFromRlp(decodeRlp(bytes));
  }),
);

export const getBlockBodies = tagged(0x05, "GetBlockBodies", hashes);

export const blockBodies = tagged(
  0x06,
  "BlockBodies",
  listOf<Body>(bodyToRlp, bodyFromRlp, decodeBodyInTurns),
);

export const newBlock = notice<NewBlock>(0x07, "NewBlock", {
  toRlp: ({ block, totalDifficulty }) => [blockToRlp(block), scalarBytes(totalDifficulty)],
  fromRlp(item) {
    const fields = new Fields("NewBlock", item);
    const block = blockFromRlp(fields.item("block"));
    const totalDifficulty = fields.uint256("totalDifficulty");
    fields.verifyEnd();
    return { block, totalDifficulty };
  },
});

/** An unsolicited block of which only the header is decoded. */
export interface UnreadNewBlock extends UnreadBlock {
  readonly totalDifficulty: bigint;
  /** Size of the complete message. */
  readonly bytes: number;
}

/** Decodes the parts of a NewBlock message that decide whether the rest of it is needed. */
export function openNewBlock(payload: Uint8Array): UnreadNewBlock {
  const items = rlpItems(payload);
  const { value: block } = items.next();
  const { value: weight } = items.next();
  if (block === undefined || weight === undefined || items.next().done !== true) {
    throw new RlpError("NewBlock: expected a block and a total difficulty");
  }
  const { value: header } = rlpItems(block).next();
  verifyHeaderLength(header?.length ?? 0);
  const totalDifficulty = new Fields("NewBlock", [decodeRlp(weight)]).uint256("totalDifficulty");
  return { ...openBlock(block), totalDifficulty, bytes: payload.length };
}

export const blockRangeUpdate = notice<RangeUpdate>(0x11, "BlockRangeUpdate", {
  toRlp: ({ earliest, latest, latestHash }) => [
    scalarBytes(earliest),
    scalarBytes(latest),
    hexToBytes(latestHash),
  ],
  fromRlp(item) {
    const fields = new Fields("BlockRangeUpdate", item);
    const update = {
      earliest: fields.uint64("earliest"),
      latest: fields.uint64("latest"),
      latestHash: fields.hash("latestHash"),
    };
    fields.verifyEnd();
    return update;
  },
});

function verifyHeaderLength(bytes: number): void {
  if (bytes <= MAX_HEADER_BYTES) return;
  throw new RlpError(`header: ${bytes} bytes, expected at most ${MAX_HEADER_BYTES}`);
}

function headerRequestFromRlp(item: Rlp): HeaderRequest {
  const fields = new Fields("GetBlockHeaders", item);
  const first = fields.item("start");
  const isHash = first instanceof Uint8Array && first.length === HASH_BYTES;
  const start = isHash ? toHex(first) : new Fields("GetBlockHeaders", [first]).uint64("start");
  const limit = fields.uint64("limit");
  const skip = fields.uint64("skip");
  const reverse = fields.uint64("reverse");
  if (reverse > 1n) throw new RlpError(`GetBlockHeaders.reverse: ${reverse}, expected 0 or 1`);
  fields.verifyEnd();
  return { start, limit, skip, reverse: reverse === 1n };
}
