import { type Address, decodeRlp, encodeRlp, type Hash, type Rlp, RlpError } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import { blockToRlp } from "@plinth/core/blocks";
import {
  type Envelope,
  fieldsOf,
  isEmptyString,
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
import { ibftExtraData } from "../extra-data.js";
import { codes, payloads, votes } from "./form.js";

type Signed = Pick<SignedMessage, "height" | "round" | "author" | "signed">;

/** The signed part of a proposal, without its block. */
export interface SignedProposal extends Signed {
  readonly digest: Hash;
}

/** Proof that a block was prepared: the proposal and its prepares. */
export interface PreparedProof {
  readonly proposal: SignedProposal;
  readonly prepares: readonly Prepare[];
}

/** The signed part of a round change, as included in proposals. */
export interface SignedRoundChange extends Signed {
  readonly prepared: PreparedProof | undefined;
}

/** A round change with the block for which its author was prepared. */
export interface IbftRoundChange extends RoundChange, SignedRoundChange {}

const NOTHING = new Uint8Array();
/**
 * The signed part of a proposal has a digest besides height, round and signature; so has a prepare.
 */
const MAX_SIGNED_BYTES = 1024;

/** Signs a round change: `[[height, round, proof], block]`, where the block is not signed. */
export async function signRoundChange(
  id: RoundId,
  prepared: Prepared | undefined,
  sign: Sign,
): Promise<Uint8Array> {
  const proof =
    prepared === undefined
      ? NOTHING
      : [prepared.proposal.signed, prepared.prepares.map(({ signed }) => signed)];
  const signed = await payloads.sign(codes.roundChange, id, [proof], sign);
  const block = prepared === undefined ? NOTHING : blockToRlp(prepared.block);
  return encodeRlp([signed, block]);
}

/** Decodes a round change with a known author. */
export function* readRoundChange(
  { author, bytes }: Envelope,
  signers: NestedSigners,
): Steps<Outline<IbftRoundChange>> {
  // Besu 26.1 and later append a block access list.
  const items = readItems("RoundChange", bytes, { min: 2, max: 3 });
  const [first, second] = items as [Uint8Array, Uint8Array];
  verifySize("RoundChange", first, signers.limit);
  const payload = payloads.read("RoundChange", first);
  const block = isEmptyString(second)
    ? undefined
    : readOutline(second, ibftExtraData, signers.limit);
  const signed = yield* readSignedRoundChange(first, { ...payload, author }, signers);
  const message: IbftRoundChange = {
    ...signed,
    kind: "round-change",
    code: codes.roundChange,
    bytes,
    preparedRound: signed.prepared?.proposal.round,
    block: block && withoutBody(block),
  };
  return { message, block };
}

/** Decodes the signed part of a round change inside of a proposal. */
export function* openRoundChange(
  bytes: Uint8Array,
  signers: NestedSigners,
): Steps<SignedRoundChange> {
  verifySize("RoundChange", bytes, signers.limit);
  const opened = payloads.openNow("RoundChange", codes.roundChange, bytes, signers);
  return yield* readSignedRoundChange(bytes, opened, signers);
}

/** Decodes the signed part of a proposal. */
export function readSignedProposal(
  bytes: Uint8Array,
  payload: PayloadItems,
): Omit<SignedProposal, "author"> {
  const { height, round } = payload;
  verifySize("Proposal", bytes, 0);
  const fields = fieldsOf("Proposal", payload);
  const digest = fields.hash("digest");
  fields.verifyEnd();
  return { height, round, signed: decodeRlp(bytes), digest };
}

function* readSignedRoundChange(
  bytes: Uint8Array,
  { height, round, author, rest }: PayloadItems & { readonly author: Address },
  signers: NestedSigners,
): Steps<SignedRoundChange> {
  const [proof, ...more] = rest;
  if (proof === undefined || more.length > 0) {
    throw new RlpError(`RoundChange: ${2 + rest.length} fields, expected 3`);
  }
  const prepared = isEmptyString(proof) ? undefined : yield* readProof(proof, signers);
  const signed: Rlp = decodeRlp(bytes);
  return { height, round, author, signed, prepared };
}

function* readProof(item: Uint8Array, signers: NestedSigners): Steps<PreparedProof> {
  const items = readItems("RoundChange.proof", item, { min: 2, max: 2 });
  const [first, list] = items as [Uint8Array, Uint8Array];
  verifySize("Proposal", first, 0);
  const opened = payloads.openNow("Proposal", codes.proposal, first, signers);
  const proposal = { ...readSignedProposal(first, opened), author: opened.author };
  const prepares = yield* readSigned("RoundChange.proof.prepares", list, {
    signers,
    read: (each) => votes.openPrepare(each, signers),
  });
  return { proposal, prepares };
}

/** A round change may repeat the prepares of all validators. */
function verifySize(name: string, bytes: Uint8Array, prepares: number): void {
  verifySignedSize(name, bytes, MAX_SIGNED_BYTES * (2 + prepares));
}
