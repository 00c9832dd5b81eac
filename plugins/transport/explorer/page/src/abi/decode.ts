import { fromBytes, toBytes } from "./bytes.js";
import { headBytes, isDynamic, itemOf, type Parameter } from "./parameter.js";

/** A decoded value: a text, or the values in it. */
export interface Value {
  readonly name: string;
  readonly type: string;
  readonly text?: string;
  readonly items?: readonly Value[];
}

const WORD = 32;
/** More values of one call are not shown: nested lists can be much larger than their data. */
const MAX_VALUES = 2000;
const MAX_DEPTH = 12;

/** Data that does not match its types. */
class Mismatch extends Error {}

/** Decodes parameters; `undefined` if the data does not match their types. */
export function decode(
  parameters: readonly Parameter[],
  data: string | Uint8Array,
): readonly Value[] | undefined {
  const bytes = typeof data === "string" ? toBytes(data) : data;
  try {
    const budget = { left: MAX_VALUES, bytes: bytes.length };
    return decodeTuple({ bytes, base: 0, depth: 0, budget }, parameters);
  } catch (error) {
    if (error instanceof Mismatch) return undefined;
    throw error;
  }
}

/** Where a value is read: offsets count from the base. */
interface Place {
  readonly bytes: Uint8Array;
  readonly base: number;
  readonly depth: number;
  /** The values that may still be decoded, and the bytes in them: values may point to the same bytes. */
  readonly budget: { left: number; bytes: number };
}

function decodeTuple(place: Place, parameters: readonly Parameter[]): readonly Value[] {
  let head = place.base;
  return parameters.map((parameter) => {
    const base = isDynamic(parameter) ? place.base + offsetAt(place.bytes, head) : head;
    head += headBytes(parameter);
    return decodeValue({ ...place, base, depth: place.depth + 1 }, parameter);
  });
}

function decodeValue(place: Place, parameter: Parameter): Value {
  const { name, type, components } = parameter;
  place.budget.left -= 1;
  if (place.budget.left < 0 || place.depth > MAX_DEPTH) return { name, type, text: "…" };
  const list = itemOf(parameter);
  if (list !== undefined) return { name, type, items: decodeList(place, list.item, list.length) };
  if (type === "tuple") return { name, type, items: decodeTuple(place, components) };
  if (type === "string" || type === "bytes") {
    const bytes = bytesAt(place);
    place.budget.bytes -= bytes.length;
    if (place.budget.bytes < 0) return { name, type, text: "…" };
    const text = type === "bytes" ? fromBytes(bytes) : new TextDecoder().decode(bytes);
    return { name, type, text };
  }
  return { name, type, text: formatWord(wordAt(place.bytes, place.base), type) };
}

function decodeList(place: Place, item: Parameter, fixed: number | undefined): readonly Value[] {
  const length = fixed ?? offsetAt(place.bytes, place.base);
  const base = fixed === undefined ? place.base + WORD : place.base;
  const shown = Math.min(length, Math.max(0, place.budget.left));
  const items = Array.from({ length: shown }, (_, index) => ({ ...item, name: String(index) }));
  const values = decodeTuple({ ...place, base }, items);
  if (shown === length) return values;
  return [...values, { name: "", type: item.type, text: `… ${length} in all` }];
}

function formatWord(word: Uint8Array, type: string): string {
  const hex = fromBytes(word);
  if (type === "address") return `0x${hex.slice(26)}`;
  const number = BigInt(hex);
  if (type === "bool") return number === 0n ? "false" : "true";
  if (type.startsWith("uint")) return number.toString();
  if (type.startsWith("int")) return BigInt.asIntN(256, number).toString();
  if (type === "function") return hex.slice(0, 2 + 48);
  const size = Number(/^bytes(\d+)$/.exec(type)?.[1] ?? WORD);
  return hex.slice(0, 2 + 2 * size);
}

function bytesAt({ bytes, base }: Place): Uint8Array {
  const length = offsetAt(bytes, base);
  const end = base + WORD + length;
  if (end > bytes.length) throw new Mismatch();
  return bytes.subarray(base + WORD, end);
}

function offsetAt(bytes: Uint8Array, at: number): number {
  const value = BigInt(fromBytes(wordAt(bytes, at)));
  if (value > BigInt(bytes.length)) throw new Mismatch();
  return Number(value);
}

function wordAt(bytes: Uint8Array, at: number): Uint8Array {
  if (at < 0 || at + WORD > bytes.length) throw new Mismatch();
  return bytes.subarray(at, at + WORD);
}
