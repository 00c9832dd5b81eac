import { blockToRlp, decodeRlp, encodeRlp, Fields, type Hash, type Rlp } from "@plinth/core";
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
import { ibftExtraData } from "../extra-data.js";
import { codes } from "./codes.js";
import { payloads, votes } from "./payload.js";

type Signed = Pick<SignedMessage, "height" | "round" | "author" | "signed">;

/** The signed part of a proposal: its block is outside. */
export interface SignedProposal extends Signed {
  readonly digest: Hash;
}

/** Shows that a block was prepared: the proposal and the prepares for it. */
export interface PreparedProof {
  readonly proposal: SignedProposal;
  readonly prepares: readonly Prepare[];
}

/** The signed part of a round change, as it stands in proposals. */
export interface SignedRoundChange extends Signed {
  readonly prepared: PreparedProof | undefined;
}

/** A round change with the block that its author was prepared for. */
export interface IbftRoundChange extends RoundChange, SignedRoundChange {}

const NOTHING = new Uint8Array();

/** Signs a round change: `[[height, round, proof], block]`, where the block is not signed. */
export async function createRoundChange(
  id: RoundId,
  prepared: Prepared | undefined,
  sign: Sign,
): Promise<IbftRoundChange> {
  const proof =
    prepared === undefined
      ? NOTHING
      : [prepared.proposal.signed, prepared.prepares.map(({ signed }) => signed)];
  const signed = await payloads.sign(codes.roundChange, id, [proof], sign);
  const block = prepared === undefined ? NOTHING : blockToRlp(prepared.block);
  return decodeRoundChange(encodeRlp([signed, block]));
}

export function decodeRoundChange(
  bytes: Uint8Array,
  maxAuthors = Number.POSITIVE_INFINITY,
): IbftRoundChange {
  const fields = new Fields("RoundChange", decodeRlp(bytes));
  const signed = signedRoundChangeFromRlp(fields.item("signed"), maxAuthors);
  const block = fields.item("block");
  // Besu 26.1 and later put a block access list there.
  if (fields.hasMore()) fields.item("accessList");
  fields.verifyEnd();
  return {
    ...signed,
    kind: "round-change",
    code: codes.roundChange,
    bytes,
    preparedRound: signed.prepared?.proposal.round,
    block: isNothing(block) ? undefined : readBlock(block, ibftExtraData),
  };
}

/** Reads the signed part of a round change. */
export function signedRoundChangeFromRlp(signed: Rlp, maxAuthors: number): SignedRoundChange {
  const { height, round, author, fields } = payloads.open("RoundChange", codes.roundChange, signed);
  const proof = fields.item("proof");
  fields.verifyEnd();
  return {
    height,
    round,
    author,
    signed,
    prepared: isNothing(proof) ? undefined : readProof(proof, maxAuthors),
  };
}

/** Reads the signed part of a proposal. */
export function signedProposalFromRlp(signed: Rlp): SignedProposal {
  const { height, round, author, fields } = payloads.open("Proposal", codes.proposal, signed);
  const digest = fields.hash("digest");
  fields.verifyEnd();
  return { height, round, author, signed, digest };
}

function readProof(item: Rlp, maxAuthors: number): PreparedProof {
  const fields = new Fields("RoundChange.proof", item);
  const proposal = signedProposalFromRlp(fields.item("proposal"));
  const prepares = readSigned("RoundChange.proof.prepares", fields.list("prepares"), {
    maxAuthors,
    read: (each) => votes.readPrepare(each),
  });
  fields.verifyEnd();
  return { proposal, prepares };
}

function isNothing(item: Rlp): boolean {
  return item instanceof Uint8Array && item.length === 0;
}
