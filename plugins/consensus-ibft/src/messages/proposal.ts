import {
  type Block,
  blockToRlp,
  decodeRlp,
  encodeRlp,
  Fields,
  hexToBytes,
  type Rlp,
} from "@plinth/core";
import { type Proposal, type RoundId, readBlock, readSigned, type Sign } from "@plinth/kit-bft";
import { ibftForm } from "../block-form.js";
import { ibftExtraData } from "../extra-data.js";
import { codes } from "./codes.js";
import { payloads } from "./payload.js";
import {
  type IbftRoundChange,
  type SignedRoundChange,
  signedProposalFromRlp,
  signedRoundChangeFromRlp,
} from "./round-change.js";

/** A proposal with what justifies it in a later round. */
export interface IbftProposal extends Proposal {
  /** `undefined` where there is no certificate at all. */
  readonly roundChanges: readonly SignedRoundChange[] | undefined;
}

const NOTHING = new Uint8Array();

/** Signs a proposal: `[[height, round, digest], block, certificate]`, where only the first part is signed. */
export async function createProposal(
  id: RoundId,
  block: Block,
  reasons: readonly IbftRoundChange[],
  sign: Sign,
): Promise<IbftProposal> {
  const digest = hexToBytes(ibftForm.sealHashOf(block.header));
  const signed = await payloads.sign(codes.proposal, id, [digest], sign);
  const certificate: Rlp = id.round === 0 ? NOTHING : [reasons.map((reason) => reason.signed)];
  return decodeProposal(encodeRlp([signed, blockToRlp(block), certificate]));
}

export function decodeProposal(
  bytes: Uint8Array,
  maxAuthors = Number.POSITIVE_INFINITY,
): IbftProposal {
  const fields = new Fields("Proposal", decodeRlp(bytes));
  const signed = signedProposalFromRlp(fields.item("signed"));
  const block = readBlock(fields.item("block"), ibftExtraData);
  const certificate = fields.item("certificate");
  // Besu 26.1 and later put a block access list there.
  if (fields.hasMore()) fields.item("accessList");
  fields.verifyEnd();
  return {
    ...signed,
    kind: "proposal",
    code: codes.proposal,
    bytes,
    block,
    roundChanges: readCertificate(certificate, maxAuthors),
  };
}

/** A list of round changes inside of a list, or nothing. */
function readCertificate(item: Rlp, maxAuthors: number): readonly SignedRoundChange[] | undefined {
  if (item instanceof Uint8Array && item.length === 0) return undefined;
  const fields = new Fields("Proposal.certificate", item);
  const roundChanges = readSigned("Proposal.roundChanges", fields.list("roundChanges"), {
    maxAuthors,
    read: (each) => signedRoundChangeFromRlp(each, maxAuthors),
  });
  fields.verifyEnd();
  return roundChanges;
}
