import {
  type Codec,
  DecodeError,
  decodeRlp,
  encodeRlp,
  type Hash,
  type Header,
  keccakHeader,
  type Rlp,
} from "@plinth/core";

/** How networks compute the hash of a header: of all of it, or without the seals and the round of QBFT and IBFT 2.0. */
const HEADER_FORMS = ["keccak", "qbft", "ibft2"] as const;

/** One of them. */
export type HeaderForm = (typeof HEADER_FORMS)[number];

/** The form by its name, as genesis files and records have it. */
export const headerForm: Codec<HeaderForm> = {
  decode(json, path = "") {
    const found = HEADER_FORMS.find((name) => name === json);
    if (found !== undefined) return found;
    throw new DecodeError(path, `one of ${HEADER_FORMS.join(", ")}`);
  },
  encode: (value) => value,
  schema: { type: "string", enum: [...HEADER_FORMS] },
};

/** `[vanity, validators, vote, round, seals]`. */
const BFT_ITEMS = 5;
const NO_ROUND = new Uint8Array();

/** The hash of a header of a network with that form. */
export function hashInForm(header: Header, form: HeaderForm): Hash {
  const items = form === "keccak" ? undefined : findList(header.extraData);
  if (items?.length !== BFT_ITEMS) return keccakHeader(header);
  const kept = items.slice(0, BFT_ITEMS - 2);
  return keccakHeader(header, encodeRlp(form === "qbft" ? [...kept, NO_ROUND, []] : kept));
}

/** The form in which a header has a hash; `undefined` if it has another one in all of them. */
export function findHeaderForm(header: Header, hash: Hash): HeaderForm | undefined {
  return HEADER_FORMS.find((form) => hashInForm(header, form) === hash);
}

function findList(bytes: Uint8Array): readonly Rlp[] | undefined {
  try {
    const item = decodeRlp(bytes);
    return item instanceof Uint8Array ? undefined : item;
  } catch {
    // Extra data of other engines is not RLP.
    return undefined;
  }
}
