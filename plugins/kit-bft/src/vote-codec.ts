import { decodeRlp, encodeRlp, type Hash, hexToBytes, type Rlp } from "@plinth/core";
import type { Sign } from "./dialect.js";
import type { Commit, Prepare, RoundId } from "./messages.js";
import type { PayloadForm } from "./payload-form.js";

const SEAL_BYTES = 65;

/** Prepares and commits, which all engines write alike but for their payloads. */
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
    return this.readPrepare(await this.#form.sign(prepare, id, [hexToBytes(digest)], sign));
  }

  /** Reads a prepare that stands alone or inside of another message. */
  readPrepare(signed: Rlp): Prepare {
    const { prepare: code } = this.#codes;
    const { height, round, author, fields } = this.#form.open("Prepare", code, signed);
    const digest = fields.hash("digest");
    fields.verifyEnd();
    const bytes = encodeRlp(signed);
    return { kind: "prepare", code, height, round, author, digest, signed, bytes };
  }

  /** Signs a commit: `[height, round, digest, seal]`. */
  async createCommit(
    id: RoundId,
    { digest, seal }: Pick<Commit, "digest" | "seal">,
    sign: Sign,
  ): Promise<Commit> {
    const rest = [hexToBytes(digest), seal];
    return this.decodeCommit(encodeRlp(await this.#form.sign(this.#codes.commit, id, rest, sign)));
  }

  decodeCommit(bytes: Uint8Array): Commit {
    const { commit: code } = this.#codes;
    const signed = decodeRlp(bytes);
    const { height, round, author, fields } = this.#form.open("Commit", code, signed);
    const digest = fields.hash("digest");
    const seal = fields.fixed("seal", SEAL_BYTES);
    fields.verifyEnd();
    return { kind: "commit", code, height, round, author, digest, seal, signed, bytes };
  }
}
