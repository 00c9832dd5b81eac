import { type Hex, parseHex, toHex, toQuantity, withoutPrefix } from "@plinth/core";
import { Kind, type ValueNode } from "graphql/index.js";

/** Definition of a scalar for the library. */
interface Scalar {
  serialize(value: unknown): unknown;
  parseValue(value: unknown): unknown;
  parseLiteral(node: ValueNode): unknown;
}

const MAX_LONG = 2n ** 64n;
const WORD_DIGITS = 64;
const ADDRESS_BYTES = 20;
/** Longer text is truncated in messages. */
const MAX_SHOWN = 128;

/** The scalars of the schema; a `Long` is a JSON integer or hex text. */
export function createScalars(writesIntegers: boolean): Readonly<Record<string, Scalar>> {
  return {
    Long: scalar("Long", writesIntegers ? toInteger : quantityOf, readLong),
    BigInt: scalar("BigInt", quantityOf, readBigInt),
    Bytes: scalar("Bytes", hexOf, readBytes),
    Bytes32: scalar("Bytes32", hexOf, readWord),
    Address: scalar("Address", hexOf, readAddress),
  };
}

/**
 * Resolvers get hex text for every scalar: the compiler writes values of documents into code as JSON, which has neither
 * large integers nor bytes.
 */
type Read = (value: string | bigint) => Hex;

/** Literals and variables are parsed alike: as text, or as an integer. */
function scalar(name: string, serialize: (value: unknown) => unknown, read: Read): Scalar {
  return {
    serialize,
    parseValue(value) {
      if (typeof value === "string") return read(value);
      if (typeof value === "number" && Number.isSafeInteger(value)) return read(BigInt(value));
      throw problem(
        name,
        typeof value === "object" ? "{…}" : value,
        "is neither text nor an exact integer",
      );
    },
    parseLiteral(node) {
      if (node.kind === Kind.STRING) return read(node.value);
      if (node.kind === Kind.INT) return read(BigInt(node.value));
      throw problem(
        name,
        "value" in node ? String(node.value) : node.kind,
        "is neither text nor an integer",
      );
    },
  };
}

/** A number that JSON parsers would round is left to the serializer of the response. */
function toInteger(value: unknown): number | bigint {
  const integer = BigInt(value as bigint | number);
  return integer <= Number.MAX_SAFE_INTEGER ? Number(integer) : integer;
}

function quantityOf(value: unknown): string {
  return toQuantity(value as bigint | number);
}

function hexOf(value: unknown): string {
  return value instanceof Uint8Array ? toHex(value) : String(value);
}

function readLong(value: string | bigint): Hex {
  const integer = findInteger(value);
  if (integer !== undefined && integer >= 0n && integer < MAX_LONG) return hexOfInteger(integer);
  throw problem("Long", value, "is not an unsigned integer of 64 bits");
}

function readBigInt(value: string | bigint): Hex {
  const integer = findInteger(value);
  if (integer !== undefined && integer >= 0n) return hexOfInteger(integer);
  throw problem("BigInt", value, "is neither a decimal nor a hexadecimal number");
}

/** `0x` and hex digits, or decimal digits; at most as many as 256 bits need. */
function findInteger(value: string | bigint): bigint | undefined {
  if (typeof value === "bigint") return value;
  return /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(value) ? BigInt(value) : undefined;
}

function readBytes(value: string | bigint): Hex {
  const digits = readDigits("Bytes", value);
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}

function readWord(value: string | bigint): Hex {
  const digits = readDigits("Bytes32", value);
  if (digits.length <= WORD_DIGITS) return `0x${digits.padStart(WORD_DIGITS, "0").toLowerCase()}`;
  throw problem("Bytes32", value, "is longer than 32 bytes");
}

function readAddress(value: string | bigint): Hex {
  const digits = typeof value === "string" ? withoutPrefix(value).toLowerCase() : "";
  if (parseHex(digits)?.length === ADDRESS_BYTES) return `0x${digits}`;
  throw problem("Address", value, `is not ${ADDRESS_BYTES} bytes as hex digits`);
}

function hexOfInteger(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}

function readDigits(name: string, value: string | bigint): string {
  if (typeof value !== "string" || !/^0x/i.test(value)) {
    throw problem(name, value, "is not prefixed with 0x");
  }
  const digits = value.slice(2);
  if (/^[0-9a-f]*$/i.test(digits)) return digits;
  throw problem(name, value, "has characters that are not hex digits");
}

function problem(name: string, value: unknown, what: string): Error {
  const text = String(value);
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return new Error(`${name} value '${shown}' ${what}`);
}
