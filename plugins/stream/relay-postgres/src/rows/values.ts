import { type Hex, hexToBytes, toHex } from "@plinth/core";
import type { Row, Value } from "../database/database.js";

/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799n;

/** Bytes in the text form of `bytea`, from hex digits. */
export function bytesValue(hex: Hex): string {
  return `\\x${hex.slice(2)}`;
}

/** The same from bytes. */
export function bytesValueOf(bytes: Uint8Array): string {
  return bytesValue(toHex(bytes));
}

/** Hex digits from the text form of `bytea`. */
export function hashOfValue(value: string): Hex {
  return `0x${value.slice(2)}`;
}

/** Bytes from the text form of `bytea`. */
export function bytesOfValue(value: string): Uint8Array {
  return hexToBytes(hashOfValue(value));
}

/** A number, or NULL. */
export function numberValue(number: bigint | undefined): Value {
  return number === undefined ? null : String(number);
}

/** Seconds since 1970 as PostgreSQL shows a `timestamptz`; later years have five digits, and become `infinity`. */
export function timeValue(seconds: bigint): string {
  if (seconds > LAST_SECOND) return "infinity";
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19).replace("T", " ")}+00`;
}

const SPECIAL = /[\\\t\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
};

/** A row in the text form of COPY, with its line end. */
export function copyLine(row: Row): string {
  let line = "";
  let separator = "";
  for (const value of row) {
    line += separator + copyValue(value);
    separator = "\t";
  }
  return `${line}\n`;
}

function copyValue(value: Value): string {
  if (value === null) return "\\N";
  // The most frequent case: bytes have one backslash, at their beginning.
  if (value.startsWith("\\x")) return `\\${value}`;
  return SPECIAL.test(value)
    ? value.replace(/[\\\t\n\r]/g, (each) => ESCAPES[each] ?? each)
    : value;
}
