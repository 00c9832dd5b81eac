import { decodeRlp, encodeRlp, type Hash, hexToBytes, RlpError } from "@plinth/core";
import type { Sign } from "./dialect.js";
import type { Commit, Envelope, Prepare, RoundId } from "./messages.js";
import { anySigners, type NestedSigners } from "./nested-signers.js";
import { fieldsOf, type PayloadForm, type PayloadItems } from "./payload-form.js";

const SEAL_BYTES = 65;
/** Maximum size of a prepare or commit: those of Besu have less than 250 bytes. */
export const MAX_VOTE_BYTES = 1024;

/** Prepares and commits, which all engines encode alike except for their payloads. */
export class VoteCodec {
  readonly #form: PayloadForm;
  readonly #codes: { readonly prepare: number; readonly commit: number };

  constructor(form: PayloadForm, codes: { readonly prepare: number; readonly commit: number }) {
    this.#form = form;
    this.#codes = codes;
  }

  /** Signs a prepare: `[height, round, digest]`. */
  async createPrepare(id: RoundId, digest: Hash, sign: Sign): Promise<Prepare> {
    const { prepare } = this.#codes;
    const signed = await this.#form.sign(prepare, id, [hexToBytes(digest)], sign);
    return this.openPrepare(encodeRlp(signed), anySigners());
  }

  /** Decodes a prepare nested in another message. */
  openPrepare(bytes: Uint8Array, signers: NestedSigners): Prepare {
    const code = this.#codes.prepare;
    verifySize("Prepare", bytes);
    const { author, ...payload } = this.#form.openNow("Prepare", code, bytes, signers);
    return this.#prepareOf(new Uint8Array(bytes), payload, author);
  }

  /** Decodes a prepare whose author is known. */
  readPrepare({ bytes, author }: Envelope): Prepare {
    verifySize("Prepare", bytes);
    return this.#prepareOf(bytes, this.#form.read("Prepare", bytes), author);
  }

  /** Signs a commit: `[height, round, digest, seal]`. */
  async createCommit(
    id: RoundId,
    { digest, seal }: Pick<Commit, "digest" | "seal">,
    sign: Sign,
  ): Promise<Commit> {
    const { commit: code } = this.#codes;
    const rest = [hexToBytes(digest), seal];
    const bytes = encodeRlp(await this.#form.sign(code, id, rest, sign));
    const { author } = this.#form.openNow("Commit", code, bytes, anySigners());
    return this.readCommit({ kind: "commit", code, ...id, author, bytes });
  }

  /** Decodes a commit whose author is known. */
  readCommit({ bytes, author }: Envelope): Commit {
    verifySize("Commit", bytes);
    const { commit: code } = this.#codes;
    const payload = this.#form.read("Commit", bytes);
    const { height, round } = payload;
    const fields = fieldsOf("Commit", payload);
    const digest = fields.hash("digest");
    const seal = fields.fixed("seal", SEAL_BYTES);
    fields.verifyEnd();
    const signed = decodeRlp(bytes);
    return { kind: "commit", code, height, round, author, digest, seal, signed, bytes };
  }

  #prepareOf(bytes: Uint8Array, payload: PayloadItems, author: Prepare["author"]): Prepare {
    const { height, round } = payload;
    const { prepare: code } = this.#codes;
    const fields = fieldsOf("Prepare", payload);
    const digest = fields.hash("digest");
    fields.verifyEnd();
    const signed = decodeRlp(bytes);
    return { kind: "prepare", code, height, round, author, digest, signed, bytes };
  }
}

function verifySize(name: string, { length }: Uint8Array): void {
  if (length <= MAX_VOTE_BYTES) return;
  throw new RlpError(`${name}: ${length} bytes, expected at most ${MAX_VOTE_BYTES}`);
}
