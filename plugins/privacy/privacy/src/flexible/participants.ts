import { type Hex, hexToBytes } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import type { UnsignedPrivateTransaction } from "../transaction/private-transaction.js";
import { PROXY_ADDRESS } from "./contracts.js";

/** Function selectors of the proxy. */
export const SELECTORS = {
  addParticipants: "0x965a25ef",
  removeParticipant: "0x1f52a8ee",
  getParticipants: "0x5aa68ac0",
  lock: "0xf83d08ba",
  unlock: "0xa69df4b5",
  canExecute: "0x78b90337",
  getVersion: "0x0d8e6e2c",
} as const satisfies Record<string, Hex>;

/** Topic of the proxy's log for a removed member: `ParticipantRemoved(bytes)`. */
export const PARTICIPANT_REMOVED =
  "0x52213552a930e6de0c0d7df74ece31dac1306b2c7e200ceded7a4442853189b5";

const SELECTOR_BYTES = 4;
const WORD = 32;

type Called = Pick<UnsignedPrivateTransaction, "to" | "data">;

/** Whether a private transaction adds members to its group. */
export function isAddition({ to, data }: Called): boolean {
  if (to !== PROXY_ADDRESS) return false;
  const selector = hexToBytes(SELECTORS.addParticipants);
  return Buffer.compare(data.subarray(0, SELECTOR_BYTES), selector) === 0;
}

/** The keys that a call adds, in base64; empty if the data is not encoded as clients encode it. */
export function addedKeys({ data }: Pick<Called, "data">): readonly string[] {
  return keysOf(data.subarray(SELECTOR_BYTES));
}

/** The keys that `getParticipants` returns, in base64. */
export function participantsOf(returned: Uint8Array): readonly string[] {
  return keysOf(returned);
}

/** The key in a removal log, in base64. */
export function removedKey(data: Uint8Array): string | undefined {
  const length = wordAt(data, WORD);
  const end = 2 * WORD + (length ?? 0);
  return length === undefined || end > data.length
    ? undefined
    : toBase64(data.slice(2 * WORD, end));
}

/** Call data that adds members. */
export function encodeAddition(keys: readonly Uint8Array[]): Uint8Array {
  const tails = keys.map((key) => [wordOf(key.length), padded(key)].flat());
  const heads: Uint8Array[] = [];
  let offset = keys.length * WORD;
  for (const tail of tails) {
    heads.push(wordOf(offset));
    offset += tail.reduce((sum, { length }) => sum + length, 0);
  }
  return join(SELECTORS.addParticipants, [
    wordOf(WORD),
    wordOf(keys.length),
    ...heads,
    ...tails.flat(),
  ]);
}

/** Call data that removes a member. */
export function encodeRemoval(key: Uint8Array): Uint8Array {
  return join(SELECTORS.removeParticipant, [wordOf(WORD), wordOf(key.length), padded(key)]);
}

/**
 * The keys of an ABI list, decoded as in Besu: by the length of the first, and none if others are longer.
 *
 * Members of a group must agree on the membership, even if a client encodes a list differently.
 */
function keysOf(list: Uint8Array): readonly string[] {
  const count = wordAt(list, WORD);
  if (count === undefined || count === 0) return [];
  const start = 2 * WORD + WORD * count;
  if (start > list.length) return [];
  const parts = list.subarray(start);
  const size = wordAt(parts, 0);
  if (size === undefined) return [];
  const step = Math.floor(parts.length / count);
  if (step !== WORD + Math.ceil(size / WORD) * WORD) return [];
  const keys: string[] = [];
  for (let at = 0; at <= parts.length - step; at += step) {
    keys.push(toBase64(parts.slice(at + WORD, at + WORD + size)));
  }
  return keys;
}

/** The length at an offset; `undefined` if it is missing or excessive. */
function wordAt(bytes: Uint8Array, at: number): number | undefined {
  if (bytes.length < at + WORD) return undefined;
  const value = BigInt(`0x${Buffer.from(bytes.subarray(at, at + WORD)).toString("hex")}`);
  return value <= BigInt(bytes.length) ? Number(value) : undefined;
}

function wordOf(value: number): Uint8Array {
  return hexToBytes(value.toString(16).padStart(2 * WORD, "0"));
}

function padded(key: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(key.length / WORD) * WORD);
  bytes.set(key);
  return bytes;
}

function join(selector: Hex, words: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat([hexToBytes(selector), ...words]));
}
