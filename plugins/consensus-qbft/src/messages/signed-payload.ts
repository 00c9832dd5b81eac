import {
  type Address,
  encodeRlp,
  Fields,
  getCrypto,
  type Hash,
  type Rlp,
  RlpError,
  scalarBytes,
  toHex,
} from "@plinth/core";
import { type RoundId, recoverSigner, type Sign, signatureBytes } from "@plinth/kit-bft";

/** A payload whose signature was recovered. */
export interface OpenedPayload extends RoundId {
  readonly author: Address;
  /** The fields after height and round. */
  readonly fields: Fields;
}

const MAX_ROUND = 2n ** 31n - 1n;

/** What is signed: the code of the message and its payload. */
function signingHash(code: number, payload: Rlp): Hash {
  const bytes = encodeRlp([scalarBytes(BigInt(code)), payload]);
  return toHex(getCrypto().keccak256(bytes));
}

/** The payload of a message and its signature. */
export async function signPayload(code: number, payload: Rlp, sign: Sign): Promise<Rlp> {
  return [payload, signatureBytes(await sign(signingHash(code, payload)))];
}

/** Reads a signed payload; throws `RlpError` when it has another form or no possible signature. */
export function openPayload(name: string, code: number, signed: Rlp): OpenedPayload {
  const outer = new Fields(name, signed);
  const payload = outer.list("payload");
  const signature = outer.bytes("signature");
  outer.verifyEnd();
  const author = recoverSigner(signingHash(code, payload), signature);
  const fields = new Fields(name, payload);
  return { ...readRoundId(name, fields), author, fields };
}

/** Height and round, as every payload begins. */
export function roundIdToRlp({ height, round }: RoundId): readonly [Uint8Array, Uint8Array] {
  return [scalarBytes(height), scalarBytes(BigInt(round))];
}

function readRoundId(name: string, fields: Fields): RoundId {
  const height = fields.uint64("height");
  return { height, round: readRound(name, fields) };
}

/** A round number. */
export function readRound(name: string, fields: Fields): number {
  const round = fields.uint64("round");
  if (round > MAX_ROUND)
    throw new RlpError(`${name}.round: ${round}, expected at most ${MAX_ROUND}`);
  return Number(round);
}
