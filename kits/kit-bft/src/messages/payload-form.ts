import { type Address, decodeRlp, encodeRlp, type Rlp, RlpError, toHex } from "@plinth/core";
import { Fields } from "@plinth/core/blocks";
import { recoverSigner, signatureBytes } from "../blocks/signatures.js";
import type { Sign } from "./dialect.js";
import { hashInTurns, hashNow } from "./hash-in-turns.js";
import type { RoundId } from "./messages.js";
import type { NestedSigners } from "./nested-signers.js";
import { readItems } from "./read-items.js";

/** How an engine encodes what is signed. */
export interface PayloadRules {
  /** The parts that the signature covers; the payload is encoded. */
  preimage(code: number, payload: Uint8Array): readonly Uint8Array[];
  roundIdToRlp(id: RoundId): readonly [height: Uint8Array, round: Uint8Array];
  readHeight(fields: Fields): bigint;
  readRound(fields: Fields): bigint;
}

/** A payload as found in a message; its items are views. */
export interface PayloadItems extends RoundId {
  /** The items after height and round. */
  readonly rest: readonly Uint8Array[];
}

/** A payload whose signature was recovered. */
export interface OpenedPayload extends PayloadItems {
  readonly author: Address;
}

const MAX_ROUND = 2n ** 31n - 1n;
/** Height, round, and at most two more: a block and its access list, or a digest and a seal. */
const PAYLOAD_ITEMS = { min: 2, max: 4 };
/** The encoding of a height or a round has at most 9 bytes. */
const MAX_NUMBER_BYTES = 16;
/** The encoding of a 65-byte signature has two more bytes. */
const MAX_SIGNATURE_BYTES = 80;

/** Signs and opens the payloads of an engine: `[[height, round, …], signature]`. */
export class PayloadForm {
  readonly #rules: PayloadRules;

  constructor(rules: PayloadRules) {
    this.#rules = rules;
  }

  /** A payload with its signature. */
  async sign(code: number, id: RoundId, rest: readonly Rlp[], sign: Sign): Promise<Rlp> {
    const payload = [...this.#rules.roundIdToRlp(id), ...rest];
    const hash = await hashInTurns(this.#rules.preimage(code, encodeRlp(payload)));
    return [payload, signatureBytes(await sign(toHex(hash)))];
  }

  /**
   * Decodes a standalone signed payload; throws `RlpError` if it is malformed or its signature is
   * impossible.
   */
  async open(name: string, code: number, signed: Uint8Array): Promise<OpenedPayload> {
    const { payload, signature } = splitSigned(name, signed);
    const items = this.#readPayload(name, payload);
    const hash = await hashInTurns(this.#rules.preimage(code, payload));
    return { ...items, author: recoverSigner(toHex(hash), signature) };
  }

  /** The same synchronously, for payloads nested in other messages. */
  openNow(
    name: string,
    code: number,
    signed: Uint8Array,
    signers: Pick<NestedSigners, "recover">,
  ): OpenedPayload {
    const { payload, signature } = splitSigned(name, signed);
    const items = this.#readPayload(name, payload);
    const hash = toHex(hashNow(this.#rules.preimage(code, payload)));
    return { ...items, author: signers.recover(hash, signature) };
  }

  /** Decodes a payload whose author is known. */
  read(name: string, signed: Uint8Array): PayloadItems {
    return this.#readPayload(name, splitSigned(name, signed).payload);
  }

  /** A round number of sensible size. */
  readRound(name: string, fields: Fields): number {
    const round = this.#rules.readRound(fields);
    if (round <= MAX_ROUND) return Number(round);
    throw new RlpError(`${name}.round: ${round}, expected at most ${MAX_ROUND}`);
  }

  #readPayload(name: string, payload: Uint8Array): PayloadItems {
    const [height, round, ...rest] = readItems(name, payload, PAYLOAD_ITEMS);
    const numbers = [height, round].map((item) => decodeSmall(name, item, MAX_NUMBER_BYTES));
    const fields = new Fields(name, numbers);
    return { height: this.#rules.readHeight(fields), round: this.readRound(name, fields), rest };
  }
}

/** The items of a payload after height and round. */
export function fieldsOf(name: string, { rest }: Pick<PayloadItems, "rest">): Fields {
  return new Fields(
    name,
    rest.map((item) => decodeRlp(item)),
  );
}

/** Throws `RlpError` if more is signed than a message can need. */
export function verifySignedSize(name: string, { length }: Uint8Array, max: number): void {
  if (length <= max) return;
  throw new RlpError(`${name}: ${length} bytes are signed, expected at most ${max}`);
}

function splitSigned(name: string, signed: Uint8Array) {
  const [payload, encoded] = readItems(name, signed, { min: 2, max: 2 });
  const signature = decodeSmall(`${name}.signature`, encoded, MAX_SIGNATURE_BYTES);
  if (payload === undefined || !(signature instanceof Uint8Array)) {
    throw new RlpError(`${name}.signature: a list, expected bytes`);
  }
  return { payload, signature };
}

function decodeSmall(name: string, item: Uint8Array | undefined, max: number): Rlp {
  const size = item?.length ?? 0;
  if (item === undefined || size > max) {
    throw new RlpError(`${name}: ${size} bytes, expected at most ${max}`);
  }
  return decodeRlp(item);
}
