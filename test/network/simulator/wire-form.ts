import { encodeRlp, getCrypto, type Hash, type Rlp, toHex } from "@plinth/core";
import { scalarBytes } from "@plinth/core/blocks";
import type { BftMessage, Sign } from "@plinth/kit-bft";

/** The path to an item of a message: positions in lists, from the outermost on. */
export type Path = readonly number[];

/** The parts of a message that can be changed one by one; a message lacks the omitted ones. */
export interface MessagePlaces {
  /** The signed part: a payload and its signature. */
  readonly signed: Path;
  readonly block?: Path;
  /** What the signature covers instead of the block. */
  readonly digest?: Path;
  readonly roundChanges?: Path;
  readonly prepares?: Path;
  /** The claim of a round change. */
  readonly claim?: Path;
}

/** How an engine encodes messages; enough of it to change those of others. */
export interface WireForm {
  readonly places: Readonly<Record<BftMessage["kind"], MessagePlaces>>;
  /** What the signature of a payload covers. */
  signedBytes(code: number, payload: Rlp): Uint8Array;
  /** The encoding of a round in a payload. */
  roundToRlp(round: number): Uint8Array;
  /** A claim that nothing was prepared, and no block. */
  readonly nothing: Rlp;
  /** The digest of the block that a round change claims. */
  claimedDigest(message: object): Hash | undefined;
}

const VOTE: MessagePlaces = { signed: [] };

/** QBFT: the block of a proposal is signed; that of a round change is not, nor is any justification. */
export const qbftWire: WireForm = {
  places: {
    proposal: { signed: [0], block: [0, 0, 2], roundChanges: [1, 0], prepares: [1, 1] },
    prepare: VOTE,
    commit: VOTE,
    "round-change": { signed: [0], claim: [0, 0, 2], block: [1], prepares: [2] },
  },
  signedBytes: (code, payload) => encodeRlp([scalarBytes(BigInt(code)), payload]),
  roundToRlp: (round) => scalarBytes(BigInt(round)),
  nothing: [],
  claimedDigest: (message) => (message as { prepared?: { digest: Hash } }).prepared?.digest,
};

/**
 * IBFT 2.0: blocks and the round changes of a proposal are not signed; the proof of a prepared
 * block is.
 */
export const ibftWire: WireForm = {
  places: {
    proposal: { signed: [0], digest: [0, 0, 2], block: [1], roundChanges: [2, 0] },
    prepare: VOTE,
    commit: VOTE,
    "round-change": { signed: [0], claim: [0, 0, 2], block: [1], prepares: [0, 0, 2, 1] },
  },
  signedBytes: (code, payload) => Buffer.concat([Uint8Array.of(code), encodeRlp(payload)]),
  roundToRlp: (round) => Buffer.from(round.toString(16).padStart(8, "0"), "hex"),
  nothing: new Uint8Array(),
  claimedDigest: (message) =>
    (message as { prepared?: { proposal: { digest: Hash } } }).prepared?.proposal.digest,
};

/** The item at a path; `undefined` if there is none. */
export function findItem(item: Rlp, path: Path): Rlp | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return item;
  const inner = item instanceof Uint8Array ? undefined : item[first];
  return inner === undefined ? undefined : findItem(inner, rest);
}

/** The message with another item at a path; the same message if there is no such path. */
export function replaceItem(item: Rlp, path: Path, replacement: Rlp): Rlp {
  const [first, ...rest] = path;
  if (first === undefined) return replacement;
  if (item instanceof Uint8Array || item[first] === undefined) return item;
  return item.with(first, replaceItem(item[first], rest, replacement));
}

/** The message with its payload signed again. */
export async function signAgain(
  wire: WireForm,
  message: { readonly kind: BftMessage["kind"]; readonly code: number; readonly items: Rlp },
  sign: Sign,
): Promise<Rlp> {
  const { signed } = wire.places[message.kind];
  const payload = findItem(message.items, [...signed, 0]) ?? [];
  const hash = toHex(getCrypto().keccak256(wire.signedBytes(message.code, payload)));
  const { r, s, recovery } = await sign(hash);
  return replaceItem(message.items, signed, [payload, Uint8Array.of(...r, ...s, recovery)]);
}
