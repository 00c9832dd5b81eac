import {
  type Address,
  Fields,
  getCrypto,
  type Hash,
  type Rlp,
  RlpError,
  toHex,
} from "@plinth/core";
import type { Sign } from "./dialect.js";
import type { RoundId } from "./messages.js";
import { recoverSigner, signatureBytes } from "./signatures.js";

/** How an engine writes what is signed. */
export interface PayloadRules {
  /** What the signature covers. */
  preimage(code: number, payload: Rlp): Uint8Array;
  roundIdToRlp(id: RoundId): readonly [height: Uint8Array, round: Uint8Array];
  readHeight(fields: Fields): bigint;
  readRound(fields: Fields): bigint;
}

/** A payload whose signature was recovered. */
export interface OpenedPayload extends RoundId {
  readonly author: Address;
  /** The fields after height and round. */
  readonly fields: Fields;
}

const MAX_ROUND = 2n ** 31n - 1n;

/** Signs and opens the payloads of an engine: `[[height, round, …], signature]`. */
export class PayloadForm {
  readonly #rules: PayloadRules;

  constructor(rules: PayloadRules) {
    this.#rules = rules;
  }

  /** A payload with its signature. */
  async sign(code: number, id: RoundId, rest: readonly Rlp[], sign: Sign): Promise<Rlp> {
    const payload = [...this.#rules.roundIdToRlp(id), ...rest];
    return [payload, signatureBytes(await sign(this.#hash(code, payload)))];
  }

  /** Reads a signed payload; throws `RlpError` when it has another form or no possible signature. */
  open(name: string, code: number, signed: Rlp): OpenedPayload {
    const outer = new Fields(name, signed);
    const payload = outer.list("payload");
    const signature = outer.bytes("signature");
    outer.verifyEnd();
    const author = recoverSigner(this.#hash(code, payload), signature);
    const fields = new Fields(name, payload);
    const height = this.#rules.readHeight(fields);
    return { height, round: this.readRound(name, fields), author, fields };
  }

  /** A round number of sensible size. */
  readRound(name: string, fields: Fields): number {
    const round = this.#rules.readRound(fields);
    if (round <= MAX_ROUND) return Number(round);
    throw new RlpError(`${name}.round: ${round}, expected at most ${MAX_ROUND}`);
  }

  #hash(code: number, payload: Rlp): Hash {
    return toHex(getCrypto().keccak256(this.#rules.preimage(code, payload)));
  }
}
