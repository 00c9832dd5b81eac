import { type Block, encodeRlp, hexToBytes, type Rlp } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import { blockToRlp } from "@plinth/core/blocks";
import {
  type Envelope,
  isEmptyString,
  type NestedSigners,
  type Outline,
  type Proposal,
  type RoundId,
  readItems,
  readOutline,
  readSigned,
  type Sign,
  withoutBody,
} from "@plinth/kit-bft";
import { ibftExtraData, ibftForm } from "../extra-data.js";
import { codes, payloads } from "./form.js";
import {
  type IbftRoundChange,
  openRoundChange,
  readSignedProposal,
  type SignedRoundChange,
} from "./round-change.js";

/** A proposal with its justification in a later round. */
export interface IbftProposal extends Proposal {
  /** `undefined` if there is no certificate at all. */
  readonly roundChanges: readonly SignedRoundChange[] | undefined;
}

const NOTHING = new Uint8Array();

/**
 * Signs a proposal: `[[height, round, digest], block, certificate]`, of which only the first part
 * is signed.
 */
export async function signProposal(
  id: RoundId,
  block: Block,
  reasons: readonly IbftRoundChange[],
  sign: Sign,
): Promise<Uint8Array> {
  const digest = hexToBytes(ibftForm.sealHashOf(block.header));
  const signed = await payloads.sign(codes.proposal, id, [digest], sign);
  const certificate: Rlp = id.round === 0 ? NOTHING : [reasons.map((reason) => reason.signed)];
  return encodeRlp([signed, blockToRlp(block), certificate]);
}

/** Decodes a proposal with a known author. */
export function* readProposal(
  { author, bytes }: Envelope,
  signers: NestedSigners,
): Steps<Outline<IbftProposal>> {
  // Besu 26.1 and later append a block access list.
  const items = readItems("Proposal", bytes, { min: 3, max: 4 });
  const [first, second, certificate] = items as [Uint8Array, Uint8Array, Uint8Array];
  const signed = readSignedProposal(first, payloads.read("Proposal", first));
  const block = readOutline(second, ibftExtraData, signers.limit);
  const message: IbftProposal = {
    ...signed,
    kind: "proposal",
    code: codes.proposal,
    ...{ author, bytes },
    block: withoutBody(block),
    roundChanges: yield* readCertificate(certificate, signers),
  };
  return { message, block };
}

/** A list of round changes inside of a list, or nothing. */
function* readCertificate(
  item: Uint8Array,
  signers: NestedSigners,
): Steps<readonly SignedRoundChange[] | undefined> {
  if (isEmptyString(item)) return undefined;
  const [list] = readItems("Proposal.certificate", item, { min: 1, max: 1 });
  return yield* readSigned("Proposal.roundChanges", list as Uint8Array, {
    signers,
    read: (each) => openRoundChange(each, signers),
  });
}
