import { fromBytes } from "./bytes.js";
import { headBytes, isDynamic, itemOf, type Parameter } from "./parameter.js";

const WORD_DIGITS = 64;

/** A value that cannot be encoded as its type; the message is for the person who entered it. */
export class InvalidValue extends Error {}

/** Encodes values: texts and numbers, or lists and objects of them; returns hex without `0x`. */
export function encode(parameters: readonly Parameter[], values: readonly unknown[]): string {
  if (parameters.length !== values.length) {
    throw new InvalidValue(`${values.length} values, expected ${parameters.length}`);
  }
  let tailAt = parameters.reduce((sum, parameter) => sum + headBytes(parameter), 0);
  let heads = "";
  let tails = "";
  parameters.forEach((parameter, index) => {
    const encoded = encodeValue(parameter, values[index]);
    if (!isDynamic(parameter)) {
      heads += encoded;
      return;
    }
    heads += word(BigInt(tailAt));
    tails += encoded;
    tailAt += encoded.length / 2;
  });
  return heads + tails;
}

/** Reads what a person entered for a parameter: JSON for lists and tuples, otherwise the text. */
export function parseInput(parameter: Parameter, text: string): unknown {
  const isText = itemOf(parameter) === undefined && parameter.type !== "tuple";
  if (isText) return parameter.type === "string" ? text : text.trim();
  try {
    // Numbers that JSON would round are kept as texts.
    return JSON.parse(text.replace(/(?<=[[,:\s])(-?\d{16,})(?=[\],}\s])/g, '"$1"'));
  } catch {
    throw new InvalidValue(`${label(parameter)}: expected JSON such as [1, 2], not ${text}`);
  }
}

function encodeValue(parameter: Parameter, value: unknown): string {
  const list = itemOf(parameter);
  if (list !== undefined) {
    if (!Array.isArray(value)) throw invalid(parameter, value, "a list such as [1, 2]");
    if (list.length !== undefined && list.length !== value.length) {
      throw invalid(parameter, `${value.length} items`, `${list.length} items`);
    }
    const items = value.map(() => list.item);
    const length = list.length === undefined ? word(BigInt(value.length)) : "";
    return length + encode(items, value);
  }
  const { type, components } = parameter;
  if (type === "tuple") return encode(components, membersOf(parameter, value));
  if (type === "string") return encodeBytes(fromBytes(new TextEncoder().encode(String(value))));
  if (type === "bytes") return encodeBytes(hexOf(parameter, value));
  if (type === "bool") return word(boolOf(parameter, value));
  if (type === "address") {
    const hex = hexOf(parameter, value);
    if (hex.length !== 42) throw invalid(parameter, value, "an address of 20 bytes");
    return hex.slice(2).padStart(WORD_DIGITS, "0");
  }
  if (/^(bytes\d+|function)$/.test(type)) {
    const size = type === "function" ? 24 : Number(type.slice("bytes".length));
    const hex = hexOf(parameter, value);
    if (hex.length !== 2 + 2 * size) throw invalid(parameter, value, `${size} bytes`);
    return hex.slice(2).padEnd(WORD_DIGITS, "0");
  }
  return word(numberOf(parameter, value));
}

function membersOf(parameter: Parameter, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) {
    throw invalid(parameter, value, "an object or a list");
  }
  const members = new Map(Object.entries(value));
  return parameter.components.map((member) => {
    if (members.has(member.name)) return members.get(member.name);
    throw invalid(parameter, "no such member", `a member ${member.name}`);
  });
}

function encodeBytes(hex: string): string {
  const digits = hex.slice(2);
  const padded = Math.ceil(digits.length / WORD_DIGITS) * WORD_DIGITS;
  return word(BigInt(digits.length / 2)) + digits.padEnd(padded, "0");
}

function hexOf(parameter: Parameter, value: unknown): string {
  const text = String(value);
  if (/^0x([0-9a-f]{2})*$/i.test(text)) return text.toLowerCase();
  throw invalid(parameter, value, "hex such as 0x12ab");
}

function boolOf(parameter: Parameter, value: unknown): bigint {
  const text = String(value);
  if (text === "true" || text === "1") return 1n;
  if (text === "false" || text === "0") return 0n;
  throw invalid(parameter, value, "true or false");
}

function numberOf(parameter: Parameter, value: unknown): bigint {
  const text = String(value).replaceAll(/[_,]/g, "");
  if (!/^(-?\d+|0x[0-9a-f]+)$/i.test(text)) throw invalid(parameter, value, "an integer");
  const number = BigInt(text);
  const bits = BigInt(/\d+$/.exec(parameter.type)?.[0] ?? "256");
  const isSigned = parameter.type.startsWith("int");
  const limit = 1n << (isSigned ? bits - 1n : bits);
  if (number >= limit || number < (isSigned ? -limit : 0n)) {
    throw invalid(parameter, value, `a number that fits ${parameter.type}`);
  }
  return number;
}

function word(number: bigint): string {
  return BigInt.asUintN(256, number).toString(16).padStart(WORD_DIGITS, "0");
}

function label({ name, type }: Parameter): string {
  return name === "" ? type : `${name} (${type})`;
}

function invalid(parameter: Parameter, value: unknown, expected: string): InvalidValue {
  return new InvalidValue(`${label(parameter)}: ${String(value)} is not ${expected}`);
}
