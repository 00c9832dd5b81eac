import { decodeRlp, encodeRlp, type Hash, hexToBytes, type Rlp } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import { blockToRlp, Fields, scalarBytes } from "@plinth/core/blocks";
import {
  type Envelope,
  fieldsOf,
  isEmptyList,
  type NestedSigners,
  type Outline,
  type PayloadItems,
  type Prepare,
  type Prepared,
  type RoundChange,
  type RoundId,
  readItems,
  readOutline,
  readSigned,
  type Sign,
  type SignedMessage,
  verifySignedSize,
  withoutBody,
} from "@plinth/kit-bft";
import { qbftExtraData } from "../extra-data.js";
import { codes, payloads, votes } from "./form.js";

/** A validator's claim of what it was prepared for. */
export interface PreparedClaim {
  readonly round: number;
  readonly digest: Hash;
}

/** The signed part of a round change, as included in proposals. */
export interface SignedRoundChange
  extends Pick<SignedMessage, "height" | "round" | "author" | "signed"> {
  readonly prepared: PreparedClaim | undefined;
}

/**
 * A round change with the block for which its author was prepared, and the prepares that prove it.
 */
export interface QbftRoundChange extends RoundChange, SignedRoundChange {
  readonly prepares: readonly Prepare[];
}

/** The signed part has a claimed round and digest besides height, round and signature. */
const MAX_SIGNED_BYTES = 1024;

/**
 * Signs a round change: `[[height, round, claim], block, prepares]`, of which only the first part
 * is signed.
 */
export async function signRoundChange(
  id: RoundId,
  prepared: Prepared | undefined,
  sign: Sign,
): Promise<Uint8Array> {
  const claim =
    prepared === undefined
      ? []
      : [scalarBytes(BigInt(prepared.proposal.round)), hexToBytes(prepared.proposal.digest)];
  const signed = await payloads.sign(codes.roundChange, id, [claim], sign);
  const block = prepared === undefined ? [] : blockToRlp(prepared.block);
  const prepares = prepared?.prepares.map((prepare) => prepare.signed) ?? [];
  return encodeRlp([signed, block, prepares]);
}

/** Decodes a round change with a known author. */
export function* readRoundChange(
  { author, bytes }: Envelope,
  signers: NestedSigners,
): Steps<Outline<QbftRoundChange>> {
  const items = readItems("RoundChange", bytes, { min: 3, max: 4 });
  // Besu 26.1 and later put a block access list between block and prepares.
  const [first, second] = items as [Uint8Array, Uint8Array];
  const last = items.at(-1) as Uint8Array;
  const payload = payloads.read("RoundChange", first);
  const { height, round } = payload;
  const signed = readSignedPart(first, payload);
  const block = isEmptyList(second) ? undefined : readOutline(second, qbftExtraData, signers.limit);
  const prepares = yield* readSigned("RoundChange.prepares", last, {
    signers,
    read: (each) => votes.openPrepare(each, signers),
  });
  const message: QbftRoundChange = {
    ...signed,
    kind: "round-change",
    code: codes.roundChange,
    ...{ height, round, author, bytes },
    preparedRound: signed.prepared?.round,
    block: block && withoutBody(block),
    prepares,
  };
  return { message, block };
}

/** Decodes the signed part of a round change inside of a proposal. */
export function openRoundChange(bytes: Uint8Array, signers: NestedSigners): SignedRoundChange {
  verifySize(bytes);
  const opened = payloads.openNow("RoundChange", codes.roundChange, bytes, signers);
  const { height, round, author } = opened;
  return { height, round, author, ...readSignedPart(bytes, opened) };
}

function readSignedPart(bytes: Uint8Array, payload: PayloadItems) {
  verifySize(bytes);
  const fields = fieldsOf("RoundChange", payload);
  const prepared = readClaim(fields.list("prepared"));
  fields.verifyEnd();
  return { signed: decodeRlp(bytes), prepared };
}

function readClaim(item: readonly Rlp[]): PreparedClaim | undefined {
  if (item.length === 0) return undefined;
  const fields = new Fields("RoundChange.prepared", item);
  const round = payloads.readRound("RoundChange.prepared", fields);
  const digest = fields.hash("digest");
  fields.verifyEnd();
  return { round, digest };
}

function verifySize(bytes: Uint8Array): void {
  verifySignedSize("RoundChange", bytes, MAX_SIGNED_BYTES);
}
