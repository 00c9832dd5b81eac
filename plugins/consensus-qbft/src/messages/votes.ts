import { decodeRlp, encodeRlp, type Hash, hexToBytes, type Rlp } from "@plinth/core";
import type { Commit, Prepare, RoundId, Sign } from "@plinth/kit-bft";
import { codes } from "./codes.js";
import { openPayload, roundIdToRlp, signPayload } from "./signed-payload.js";

/** Signs a prepare: `[height, round, digest]`. */
export async function createPrepare(id: RoundId, digest: Hash, sign: Sign): Promise<Prepare> {
  const payload = [...roundIdToRlp(id), hexToBytes(digest)];
  return prepareFromRlp(await signPayload(codes.prepare, payload, sign));
}

/** Reads a prepare that stands alone or inside of another message. */
export function prepareFromRlp(signed: Rlp): Prepare {
  const { height, round, author, fields } = openPayload("Prepare", codes.prepare, signed);
  const digest = fields.hash("digest");
  fields.verifyEnd();
  const bytes = encodeRlp(signed);
  return { kind: "prepare", code: codes.prepare, height, round, author, digest, signed, bytes };
}

/** Signs a commit: `[height, round, digest, seal]`. */
export async function createCommit(
  id: RoundId,
  { digest, seal }: Pick<Commit, "digest" | "seal">,
  sign: Sign,
): Promise<Commit> {
  const payload = [...roundIdToRlp(id), hexToBytes(digest), seal];
  return decodeCommit(encodeRlp(await signPayload(codes.commit, payload, sign)));
}

export function decodeCommit(bytes: Uint8Array): Commit {
  const signed = decodeRlp(bytes);
  const { height, round, author, fields } = openPayload("Commit", codes.commit, signed);
  const digest = fields.hash("digest");
  const seal = fields.fixed("seal", 65);
  fields.verifyEnd();
  return { kind: "commit", code: codes.commit, height, round, author, digest, seal, signed, bytes };
}
