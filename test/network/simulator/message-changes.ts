import { encodeRlp, hexToBytes, type Rlp } from "@plinth/core";
import { blockFromRlp, blockToRlp } from "@plinth/core/blocks";
import type { BftMessage, Proposal, RoundChange } from "@plinth/kit-bft";
import { type BlockChangeParts, HEADER_CHANGES, pick } from "./block-changes.js";
import { BODY_CHANGES } from "./simulated-bodies.js";
import type { ChainForm } from "./simulated-chain.js";
import { findItem, type Path, replaceItem, type WireForm } from "./wire-form.js";

/** A message in flight, and its items. */
export interface OpenMessage {
  readonly message: BftMessage<Proposal, RoundChange>;
  readonly items: Rlp;
}

/** The inputs of a change. */
export interface MessageChangeParts extends BlockChangeParts, ChainForm {
  readonly wire: WireForm;
  /** Messages that the liar has sent or relayed. */
  readonly seen: readonly BftMessage<Proposal, RoundChange>[];
}

/** A message with one wrong part; the same items if the message has no such part. */
export type MessageChange = (open: OpenMessage, parts: MessageChangeParts) => Rlp;

/** The ways to change a real message. */
export const MESSAGE_CHANGES = {
  bodies: changeBody,
  headers: changeHeader,
  certificates: changeCertificate,
  claims: changeClaim,
  rounds: changeRound,
} as const satisfies Readonly<Record<string, MessageChange>>;

/** The block keeps its header, and therefore its digest. */
function changeBody({ message, items }: OpenMessage, { wire, dice }: MessageChangeParts): Rlp {
  const { block: place } = wire.places[message.kind];
  const block = place && findBlock(items, place);
  if (place === undefined || block === undefined) return items;
  const change = pick(Object.values(BODY_CHANGES), dice);
  const { header, body } = block;
  return replaceItem(items, place, blockToRlp({ header, body: change(body, header) }));
}

/** The digest beside the block changes with it every other time. */
function changeHeader({ message, items }: OpenMessage, parts: MessageChangeParts): Rlp {
  const { wire, dice, form } = parts;
  const { block: place, digest } = wire.places[message.kind];
  const block = place && findBlock(items, place);
  if (place === undefined || block === undefined) return items;
  const changed = pick(Object.values(HEADER_CHANGES), dice)(block, parts);
  const replaced = replaceItem(items, place, blockToRlp(changed));
  if (digest === undefined || dice(2) === 0) return replaced;
  return replaceItem(replaced, digest, hexToBytes(form.sealHashOf(changed.header)));
}

/** Nested messages: fewer, doubled, from other rounds, or of the liar. */
function changeCertificate({ message, items }: OpenMessage, parts: MessageChangeParts): Rlp {
  const { wire, dice, seen } = parts;
  const { prepares, roundChanges } = wire.places[message.kind];
  const isOfPrepares = prepares !== undefined && (roundChanges === undefined || dice(2) === 0);
  const place = isOfPrepares ? prepares : roundChanges;
  const list = place && findItem(items, place);
  if (place === undefined || list === undefined || list instanceof Uint8Array) return items;
  const kind = isOfPrepares ? "prepare" : "round-change";
  const others = seen.filter((each) => each.kind === kind).map(({ signed }) => signed);
  const index = dice(list.length + 1);
  const [first = []] = list;
  const other = others.length > 0 ? pick(others, dice) : first;
  const changed = pick<readonly Rlp[]>(
    [list.toSpliced(index, 1), [...list, first], list.toSpliced(index, 1, other), [...list, other]],
    dice,
  );
  return replaceItem(items, place, changed);
}

/** Another round was prepared, or none, or the claim of an earlier round change. */
function changeClaim({ message, items }: OpenMessage, parts: MessageChangeParts): Rlp {
  const { wire, dice, seen } = parts;
  const { claim, block } = wire.places[message.kind];
  if (claim === undefined || block === undefined) return items;
  if (dice(2) === 0) {
    return replaceItem(replaceItem(items, claim, wire.nothing), block, wire.nothing);
  }
  const known = seen.filter((each) => each.kind === "round-change").map(({ signed }) => signed);
  const before = known.length > 0 ? findItem(pick(known, dice), [0, 2]) : undefined;
  if (before !== undefined && dice(2) === 0) return replaceItem(items, claim, before);
  return replaceItem(items, [...claim, 0], wire.roundToRlp(dice(4)));
}

function changeRound({ message, items }: OpenMessage, { wire, dice }: MessageChangeParts): Rlp {
  const { signed } = wire.places[message.kind];
  const round = Math.max(0, message.round + pick([-1, 1, 2, 17, 2000], dice));
  return replaceItem(items, [...signed, 0, 1], wire.roundToRlp(round));
}

function findBlock(items: Rlp, place: Path): ReturnType<typeof blockFromRlp> | undefined {
  const item = findItem(items, place);
  return item === undefined || item.length === 0 ? undefined : blockFromRlp(item);
}

/** Whether a change left the signed part unchanged. */
export function isSignedPartKept({ message, items }: OpenMessage, changed: Rlp, wire: WireForm) {
  const place = [...wire.places[message.kind].signed, 0];
  const [before, after] = [items, changed].map((each) => encodeRlp(findItem(each, place) ?? []));
  return before !== undefined && after !== undefined && Buffer.compare(before, after) === 0;
}
