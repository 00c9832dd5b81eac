import {
  blockToRlp,
  decodeRlp,
  encodeRlp,
  Fields,
  type Hash,
  hexToBytes,
  type Rlp,
  scalarBytes,
} from "@plinth/core";
import {
  type Prepare,
  type Prepared,
  type RoundChange,
  type RoundId,
  readBlock,
  readSigned,
  type Sign,
  type SignedMessage,
} from "@plinth/kit-bft";
import { qbftExtraData } from "../extra-data.js";
import { codes } from "./codes.js";
import { payloads, votes } from "./payload.js";

/** What a validator says it was prepared for. */
export interface PreparedClaim {
  readonly round: number;
  readonly digest: Hash;
}

/** The signed part of a round change, as it stands in proposals. */
export interface SignedRoundChange
  extends Pick<SignedMessage, "height" | "round" | "author" | "signed"> {
  readonly prepared: PreparedClaim | undefined;
}

/** A round change with the block that its author was prepared for, and the prepares that show it. */
export interface QbftRoundChange extends RoundChange, SignedRoundChange {
  readonly prepares: readonly Prepare[];
}

/** Besu 26.1 and later put a block access list after the block. */
const LONG_FORM = 4;

/** Signs a round change: `[[height, round, claim], block, prepares]`, where only the first part is signed. */
export async function createRoundChange(
  id: RoundId,
  prepared: Prepared | undefined,
  sign: Sign,
): Promise<QbftRoundChange> {
  const claim =
    prepared === undefined
      ? []
      : [scalarBytes(BigInt(prepared.proposal.round)), hexToBytes(prepared.proposal.digest)];
  const signed = await payloads.sign(codes.roundChange, id, [claim], sign);
  const block = prepared === undefined ? [] : blockToRlp(prepared.block);
  const prepares = prepared?.prepares.map((prepare) => prepare.signed) ?? [];
  return decodeRoundChange(encodeRlp([signed, block, prepares]));
}

export function decodeRoundChange(
  bytes: Uint8Array,
  maxAuthors = Number.POSITIVE_INFINITY,
): QbftRoundChange {
  const items = decodeRlp(bytes);
  const fields = new Fields("RoundChange", items);
  const signed = signedRoundChangeFromRlp(fields.item("signed"));
  const block = fields.list("block");
  if (items.length === LONG_FORM) fields.item("accessList");
  const prepares = readSigned("RoundChange.prepares", fields.list("prepares"), {
    maxAuthors,
    read: (item) => votes.readPrepare(item),
  });
  fields.verifyEnd();
  return {
    ...signed,
    kind: "round-change",
    code: codes.roundChange,
    bytes,
    preparedRound: signed.prepared?.round,
    block: block.length > 0 ? readBlock(block, qbftExtraData) : undefined,
    prepares,
  };
}

/** Reads the signed part of a round change. */
export function signedRoundChangeFromRlp(signed: Rlp): SignedRoundChange {
  const { height, round, author, fields } = payloads.open("RoundChange", codes.roundChange, signed);
  const prepared = readClaim(fields.list("prepared"));
  fields.verifyEnd();
  return { height, round, author, signed, prepared };
}

function readClaim(item: readonly Rlp[]): PreparedClaim | undefined {
  if (item.length === 0) return undefined;
  const fields = new Fields("RoundChange.prepared", item);
  const round = payloads.readRound("RoundChange.prepared", fields);
  const digest = fields.hash("digest");
  fields.verifyEnd();
  return { round, digest };
}
