import { decodeRlp, encodeRlp, type Rlp, RlpError } from "../primitives/rlp.js";

const TYPES = [0, 1, 2, 3, 4] as const;

/** Legacy, access list (EIP-2930), fee market (EIP-1559), blobs (EIP-4844), set code (EIP-7702). */
export type TransactionType = (typeof TYPES)[number];

/** EIP-2718: a transaction or a receipt with an optional type byte. */
export interface Envelope {
  readonly type: TransactionType;
  readonly payload: Rlp;
  /** The type byte, unless the type is 0, and the encoded payload. */
  readonly raw: Uint8Array;
}

/** The first byte of an RLP list is this or higher. */
const LIST_PREFIX = 0xc0;

/** Wraps a payload into its envelope. */
export function encodeEnvelope(type: TransactionType, payload: Rlp): Uint8Array {
  const encoded = encodeRlp(payload);
  if (type === 0) return encoded;
  const raw = new Uint8Array(1 + encoded.length);
  raw[0] = type;
  raw.set(encoded, 1);
  return raw;
}

/** Decodes an envelope; `owner` is its name in the `RlpError`. */
export function decodeEnvelope(owner: string, bytes: Uint8Array): Envelope {
  const raw = new Uint8Array(bytes);
  const [first] = raw;
  if (first === undefined) throw new RlpError(`${owner}: no bytes`);
  if (first >= LIST_PREFIX) return { type: 0, payload: decodeRlp(raw), raw };
  return decodeTyped(owner, raw);
}

/**
 * The encoding inside blocks and lists of receipts: type 0 is a list, other types are byte strings.
 */
export function envelopeToRlp({ type, raw }: Pick<Envelope, "type" | "raw">): Rlp {
  return type === 0 ? decodeRlp(raw) : raw;
}

/** The same, encoded. */
export function encodeInList({ type, raw }: Pick<Envelope, "type" | "raw">): Uint8Array {
  return type === 0 ? raw : encodeRlp(raw);
}

/** Decodes the encoding inside blocks and lists of receipts. */
export function envelopeFromRlp(owner: string, item: Rlp): Envelope {
  if (item instanceof Uint8Array) return decodeTyped(owner, item);
  return { type: 0, payload: item, raw: encodeRlp(item) };
}

function decodeTyped(owner: string, raw: Uint8Array): Envelope {
  const type = TYPES.find((type) => type === raw[0]);
  // Type 0 has no type byte: with one, the same transaction would have two hashes.
  if (type === undefined || type === 0) {
    throw new RlpError(`${owner}.type: ${raw[0] ?? "missing"}, expected 1 to 4 or a list`);
  }
  return { type, payload: decodeRlp(raw.subarray(1)), raw };
}
