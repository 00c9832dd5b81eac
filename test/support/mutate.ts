import { decodeRlp, encodeRlp, type Rlp } from "@plinth/core";

/** A number from 0 to the bound, exclusive. */
export type Dice = (bound: number) => number;

/** Deterministic random numbers for a seed (mulberry32). */
export function createDice(seed: number): Dice {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** Bytes that differ from the given ones in one way, or by chance not at all. */
export function mutate(bytes: Uint8Array, dice: Dice): Uint8Array {
  const ways = [flip, cut, insert, swapFields, changeField];
  return (ways[dice(ways.length)] ?? flip)(bytes, dice);
}

/** Another bit. */
export function flip(bytes: Uint8Array, dice: Dice): Uint8Array {
  const at = dice(bytes.length);
  return bytes.with(at, (bytes[at] ?? 0) ^ (1 << dice(8)));
}

/** Without some bytes. */
export function cut(bytes: Uint8Array, dice: Dice): Uint8Array {
  const at = dice(bytes.length);
  const length = 1 + dice(40);
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
}

/** With some bytes more. */
export function insert(bytes: Uint8Array, dice: Dice): Uint8Array {
  const at = dice(bytes.length + 1);
  const added = Uint8Array.from({ length: 1 + dice(40) }, () => dice(256));
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)]);
}

/** Swaps two fields of one list; the encoding stays valid. */
function swapFields(bytes: Uint8Array, dice: Dice): Uint8Array {
  return changeList(bytes, dice, (items) => {
    const [a, b] = [dice(items.length), dice(items.length)];
    return items.with(a, items[b] ?? []).with(b, items[a] ?? []);
  });
}

/** Flips, doubles, empties or removes a field; the encoding stays valid. */
function changeField(bytes: Uint8Array, dice: Dice): Uint8Array {
  return changeList(bytes, dice, (items) => {
    const at = dice(items.length);
    const item = items[at] ?? [];
    const flipped = item instanceof Uint8Array && item.length > 0 ? flip(item, dice) : item;
    const changes = [
      () => items.with(at, flipped),
      () => items.toSpliced(at, 0, item),
      () => items.with(at, new Uint8Array()),
      () => items.toSpliced(at, 1),
    ];
    return changes[dice(changes.length)]?.() ?? items;
  });
}

function changeList(
  bytes: Uint8Array,
  dice: Dice,
  change: (items: readonly Rlp[]) => readonly Rlp[],
): Uint8Array {
  const descend = (items: readonly Rlp[]): readonly Rlp[] => {
    const at = dice(items.length);
    const inner = items[at];
    const isList = inner !== undefined && !(inner instanceof Uint8Array) && inner.length > 0;
    return isList && dice(4) > 0 ? items.with(at, descend(inner)) : change(items);
  };
  const block = decodeRlp(bytes);
  return block instanceof Uint8Array ? bytes : encodeRlp(descend(block));
}
