import { toHex } from "@plinth/core";
import { type AbiParameter, isDynamic, itemOf } from "./parameter.js";

const WORD = 32;
/** Longer lists, texts and data are truncated in a log line. */
const MAX_ITEMS = 8;
const MAX_TEXT = 200;
const MAX_DATA = 36;
/** Deeper types are abbreviated. */
const MAX_DEPTH = 8;
/** So are further values: nested lists can be much larger than their data. */
const MAX_VALUES = 200;

/** Whether addresses are shown in full, or abbreviated. */
export type AddressStyle = "short" | "whole";

/** Data that does not match its types. */
class Misfit extends Error {}

/** The values of parameters as text; `undefined` if the data does not match the types. */
export function formatValues(
  data: Uint8Array,
  parameters: readonly AbiParameter[],
  addresses: AddressStyle = "short",
): readonly string[] | undefined {
  try {
    const budget = { values: MAX_VALUES };
    return formatTuple({ data, base: 0, depth: 0, budget, addresses }, parameters);
  } catch (error) {
    if (error instanceof Misfit) return undefined;
    throw error;
  }
}

/** Read position: offsets count from the base. */
interface Place {
  readonly data: Uint8Array;
  readonly base: number;
  readonly depth: number;
  /** Remaining number of values to show. */
  readonly budget: { values: number };
  readonly addresses: AddressStyle;
}

function formatTuple(place: Place, parameters: readonly AbiParameter[]): readonly string[] {
  let head = place.base;
  return parameters.map((parameter) => {
    const at = isDynamic(parameter) ? place.base + offsetAt(place.data, head) : head;
    head += headBytes(parameter);
    return formatValue({ ...place, base: at }, parameter);
  });
}

function formatValue(place: Place, parameter: AbiParameter): string {
  place.budget.values -= 1;
  if (place.depth > MAX_DEPTH || place.budget.values < 0) return "…";
  const list = itemOf(parameter);
  const inner = { ...place, depth: place.depth + 1 };
  if (list !== undefined) return formatList(inner, list.item, list.length);
  const { type, components = [] } = parameter;
  if (type === "tuple") return `(${formatTuple(inner, components).join(", ")})`;
  if (type === "string") return JSON.stringify(cut(bytesAt(place).toString(), MAX_TEXT));
  if (type === "bytes") return formatBytes(bytesAt(place));
  const word = wordAt(place.data, place.base);
  if (type === "address" && place.addresses === "whole") return toHex(word.subarray(12));
  return formatWord(word, type);
}

function formatList(place: Place, item: AbiParameter, length: number | undefined): string {
  const count = length ?? offsetAt(place.data, place.base);
  const base = length === undefined ? place.base + WORD : place.base;
  const shown = Array.from({ length: Math.min(count, MAX_ITEMS) }, () => item);
  const texts = formatTuple({ ...place, base }, shown);
  return `[${[...texts, ...(count > MAX_ITEMS ? [`… ${count} in all`] : [])].join(", ")}]`;
}

function formatWord(word: Buffer, type: string): string {
  if (type === "address") return shortAddress(toHex(word.subarray(12)));
  const number = BigInt(toHex(word));
  if (type === "bool") return number === 0n ? "false" : "true";
  if (type.startsWith("uint")) return String(number);
  if (type.startsWith("int")) return String(BigInt.asIntN(256, number));
  const size = Number(/^bytes(\d+)$/.exec(type)?.[1] ?? WORD);
  return toHex(word.subarray(0, size));
}

/** `0x7099…79c8`. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

function formatBytes(bytes: Buffer): string {
  const hex = toHex(bytes.subarray(0, MAX_DATA));
  return bytes.length > MAX_DATA ? `${hex}… (${bytes.length} bytes)` : hex;
}

function bytesAt({ data, base }: Place): Buffer {
  const length = offsetAt(data, base);
  const end = base + WORD + length;
  if (end > data.length) throw new Misfit();
  return Buffer.from(data.subarray(base + WORD, end));
}

function headBytes(parameter: AbiParameter): number {
  if (isDynamic(parameter)) return WORD;
  const list = itemOf(parameter);
  if (list !== undefined) return (list.length ?? 0) * headBytes(list.item);
  if (parameter.type !== "tuple") return WORD;
  return (parameter.components ?? []).reduce((sum, member) => sum + headBytes(member), 0);
}

function offsetAt(data: Uint8Array, at: number): number {
  const value = BigInt(toHex(wordAt(data, at)));
  if (value > BigInt(data.length)) throw new Misfit();
  return Number(value);
}

function wordAt(data: Uint8Array, at: number): Buffer {
  if (at < 0 || at + WORD > data.length) throw new Misfit();
  return Buffer.from(data.subarray(at, at + WORD));
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
