import { toHex } from "@plinth/core";
import { type AbiMember, type AbiType, isDynamic } from "./abi-type.js";

const WORD = 32;

/** Data that does not match its types. */
class Mismatch extends Error {}

/** Where a value is read: offsets count from the base. */
interface Place {
  readonly data: Buffer;
  readonly base: number;
  /**
   * The remaining number of bytes that are read.
   *
   * No value shares bytes with another one, unless offsets overlap: then a little data could have values without end.
   */
  readonly budget: { bytes: number };
}

/** The values of parameters in JSON; `undefined` if the data does not match the types. */
export function decodeJson(
  data: Uint8Array,
  members: readonly AbiMember[],
): readonly string[] | undefined {
  try {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const budget = { bytes: data.length };
    const types = members.map(({ type }) => type);
    return decodeSequence({ data: bytes, base: 0, budget }, types);
  } catch (error) {
    if (error instanceof Mismatch) return undefined;
    throw error;
  }
}

/** The JSON of an object with these values; parameters without a name have their position. */
export function objectJson(members: readonly AbiMember[], values: readonly string[]): string {
  const entries = members.map(
    ({ name }, index) => `${JSON.stringify(name === "" ? String(index) : name)}:${values[index]}`,
  );
  return `{${entries.join(",")}}`;
}

function decodeSequence(place: Place, types: readonly AbiType[]): readonly string[] {
  let head = place.base;
  return types.map((type) => {
    const at = isDynamic(type) ? place.base + lengthAt(place, head) : head;
    head += headSize(type);
    return decodeValue({ ...place, base: at }, type);
  });
}

function decodeValue(place: Place, type: AbiType): string {
  switch (type.kind) {
    case "list":
      return decodeList(place, type.item, type.length);
    case "tuple": {
      const values = decodeSequence(
        place,
        type.members.map((member) => member.type),
      );
      return objectJson(type.members, values);
    }
    case "bytes":
      return JSON.stringify(toHex(bytesAt(place)));
    case "string":
      return JSON.stringify(textOf(bytesAt(place)));
    case "fixed-bytes":
      return JSON.stringify(toHex(wordAt(place, place.base).subarray(0, type.size)));
    case "word":
      return decodeWord(wordAt(place, place.base), type.name);
  }
}

function decodeList(place: Place, item: AbiType, fixed: number | undefined): string {
  const length = fixed ?? lengthAt(place, place.base);
  const base = fixed === undefined ? place.base + WORD : place.base;
  if (length * WORD > place.budget.bytes) throw new Mismatch();
  const types = Array.from({ length }, () => item);
  return `[${decodeSequence({ ...place, base }, types).join(",")}]`;
}

/** Numbers are texts: those of JSON have 53 bits in most programs. */
function decodeWord(word: Buffer, name: "uint" | "int" | "address" | "bool"): string {
  if (name === "address") return JSON.stringify(toHex(word.subarray(12)));
  const number = BigInt(toHex(word));
  if (name === "bool") return number === 0n ? "false" : "true";
  return JSON.stringify(String(name === "int" ? BigInt.asIntN(256, number) : number));
}

/** PostgreSQL has no zero characters in texts. */
function textOf(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll("\u0000", "\ufffd");
}

function bytesAt(place: Place): Buffer {
  const length = lengthAt(place, place.base);
  return takeAt(place, place.base + WORD, length);
}

function headSize(type: AbiType): number {
  if (isDynamic(type)) return WORD;
  if (type.kind === "list") return (type.length ?? 0) * headSize(type.item);
  if (type.kind !== "tuple") return WORD;
  return type.members.reduce((sum, member) => sum + headSize(member.type), 0);
}

/** A length or an offset, neither of which exceeds the data. */
function lengthAt(place: Place, at: number): number {
  const value = BigInt(toHex(wordAt(place, at)));
  if (value > BigInt(place.data.length)) throw new Mismatch();
  return Number(value);
}

function wordAt(place: Place, at: number): Buffer {
  return takeAt(place, at, WORD);
}

function takeAt({ data, budget }: Place, at: number, length: number): Buffer {
  budget.bytes -= length;
  if (at + length > data.length || budget.bytes < 0) throw new Mismatch();
  return data.subarray(at, at + length);
}
