import { fromBytes, toBytes } from "./abi/bytes.js";

/** What the extra data of a block states that validators agreed on. */
export interface BftExtra {
  readonly validators: readonly string[];
  readonly vote: { readonly recipient: string; readonly isFor: boolean } | undefined;
  readonly round: number;
  readonly seals: number;
}

type Item = Uint8Array | readonly Item[];

const VANITY_BYTES = 32;
const ADDRESS_BYTES = 20;

/** Reads the extra data of QBFT and IBFT 2.0; `undefined` if it is something else. */
export function readBftExtra(extraData: string): BftExtra | undefined {
  const read = readItem(toBytes(extraData), 0);
  if (read === undefined || !Array.isArray(read.item)) return undefined;
  const [vanity, validators, vote, round, seals] = read.item as readonly Item[];
  if (!(vanity instanceof Uint8Array) || vanity.length !== VANITY_BYTES) return undefined;
  if (!Array.isArray(validators) || !(round instanceof Uint8Array) || !Array.isArray(seals)) {
    return undefined;
  }
  return {
    validators: validators.flatMap((each) => addressOf(each) ?? []),
    vote: readVote(vote),
    round: Number(BigInt(`${fromBytes(round)}`.replace(/^0x$/, "0x0"))),
    seals: seals.length,
  };
}

/** QBFT marks a vote to add with 0xff, IBFT 2.0 as well. */
function readVote(vote: Item | undefined): BftExtra["vote"] {
  if (!Array.isArray(vote)) return undefined;
  const recipient = addressOf(vote[0]);
  const mark = vote[1];
  if (recipient === undefined || !(mark instanceof Uint8Array)) return undefined;
  return { recipient, isFor: mark[0] === 0xff };
}

function addressOf(item: Item | undefined): string | undefined {
  return item instanceof Uint8Array && item.length === ADDRESS_BYTES ? fromBytes(item) : undefined;
}

/** An RLP item and where it ends. */
function readItem(
  bytes: Uint8Array,
  at: number,
  depth = 0,
): { readonly item: Item; readonly end: number } | undefined {
  const first = bytes[at];
  if (first === undefined || depth > 4) return undefined;
  if (first < 0x80) return { item: bytes.subarray(at, at + 1), end: at + 1 };
  const isList = first >= 0xc0;
  const base = isList ? 0xc0 : 0x80;
  const short = first - base;
  const lengthBytes = short > 55 ? short - 55 : 0;
  const start = at + 1 + lengthBytes;
  const length = lengthBytes === 0 ? short : lengthAt(bytes.subarray(at + 1, start));
  const end = start + length;
  if (end > bytes.length) return undefined;
  if (!isList) return { item: bytes.subarray(start, end), end };
  const items: Item[] = [];
  for (let next = start; next < end; ) {
    const read = readItem(bytes, next, depth + 1);
    if (read === undefined || read.end > end) return undefined;
    items.push(read.item);
    next = read.end;
  }
  return { item: items, end };
}

function lengthAt(bytes: Uint8Array): number {
  return bytes.reduce((length, byte) => length * 256 + byte, 0);
}
