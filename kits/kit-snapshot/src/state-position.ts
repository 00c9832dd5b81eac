import { type Hex, hexToBytes, toHex } from "@plinth/core";

/** The length of keys of accounts and slots in their tries. */
export const KEY_BYTES = 32;

/** A position in a state: an account, or a slot within the storage of an account. */
export interface StatePosition {
  /** The key of the account, or the lowest that the next account may have. */
  readonly account: Uint8Array;
  /** Omitted at the start of an account. */
  readonly slot?: Uint8Array;
}

/** Where every state starts. */
export const STATE_START: StatePosition = { account: new Uint8Array(KEY_BYTES) };

/** A position as text: the key of the account, followed by that of the slot. */
export function formatPosition({ account, slot }: StatePosition): Hex {
  return slot === undefined ? toHex(account) : `${toHex(account)}${toHex(slot).slice(2)}`;
}

/** The position of a text that `formatPosition` returned. */
export function parsePosition(text: Hex): StatePosition {
  const bytes = hexToBytes(text);
  const account = bytes.subarray(0, KEY_BYTES);
  return bytes.length > KEY_BYTES ? { account, slot: bytes.subarray(KEY_BYTES) } : { account };
}

/** The key that follows; `undefined` after the highest. */
export function keyAfter(key: Uint8Array): Uint8Array | undefined {
  const next = Uint8Array.from(key);
  for (let at = next.length - 1; at >= 0; at--) {
    const byte = next[at] as number;
    next[at] = (byte + 1) & 0xff;
    if (byte < 0xff) return next;
  }
  return undefined;
}
