import { type Address, decodeRlp, encodeRlp, hexToBytes } from "@plinth/core";
import { Fields, scalarBytes } from "@plinth/core/blocks";

/**
 * How far a signer has signed: nothing up to there may be signed again without the record of what
 * was signed.
 */
export interface Mark {
  /** Incremented when the operator lets the node sign again; marks of lower epochs are void. */
  readonly epoch: number;
  /** The highest block that anything was signed for. */
  readonly height: bigint;
  /** The highest round of that block, if the engine has rounds. */
  readonly round: number;
  /**
   * Number of writes of the record since that height was reached: a record with fewer writes is
   * incomplete.
   */
  readonly writes: number;
  /** Nothing is signed up to here. */
  readonly floor: bigint;
  /** Whether the operator set the floor; otherwise the record up to it is lost. */
  readonly isFloorNamed: boolean;
  /** The last applied value of the operator's option; `undefined` once it was omitted. */
  readonly from: bigint | undefined;
}

/** The mark of a signer that has signed nothing. */
export const NO_MARK: Mark = {
  epoch: 0,
  height: 0n,
  round: 0,
  writes: 0,
  floor: 0n,
  isFloorNamed: false,
  from: undefined,
};

/** Whether one mark is later than another. */
export function isAfter(one: Mark, other: Mark): boolean {
  if (one.epoch !== other.epoch) return one.epoch > other.epoch;
  if (one.height !== other.height) return one.height > other.height;
  if (one.round !== other.round) return one.round > other.round;
  return one.writes > other.writes;
}

/** A mark as stored in the database, between entries that start with a height and a list. */
export function encodeMark(mark: Mark, address: Address): Uint8Array {
  const { epoch, height, round, writes, floor, isFloorNamed, from = 0n } = mark;
  const numbers = [epoch, round, writes, floor, isFloorNamed, from].map((each) =>
    scalarBytes(BigInt(each)),
  );
  return encodeRlp([scalarBytes(height), [], hexToBytes(address), ...numbers]);
}

/** The mark of a signer; `undefined` if it belongs to another. */
export function decodeMark(bytes: Uint8Array, address: Address): Mark | undefined {
  const fields = new Fields("mark", decodeRlp(bytes));
  const height = fields.uint64("height");
  fields.list("messages");
  if (fields.address("address") !== address) return undefined;
  const mark = {
    epoch: Number(fields.uint64("epoch")),
    height,
    round: Number(fields.uint64("round")),
    writes: Number(fields.uint64("writes")),
    floor: fields.uint64("floor"),
    isFloorNamed: fields.uint64("isFloorNamed") === 1n,
  };
  return { ...mark, from: fields.uint64("from") || undefined };
}
