import { toBase64 } from "@plinth/kit-enclave";
import { expect, it } from "vitest";
import { readJavaBase64 } from "./java-base64.js";

/** The largest payload of a manager as its node receives it: base64 applied twice. */
const LONG_BYTES = 14 * 2 ** 20;

it.each([
  ["", ""],
  ["AQ", "01"],
  ["AQ==", "01"],
  ["AQI", "0102"],
  ["AQI=", "0102"],
  ["AQID", "010203"],
])("reads %j", (text, hex) => {
  expect(Buffer.from(readJavaBase64(text)).toString("hex")).toBe(hex);
});

it.each([
  ["A", "Input byte[] should at least have 2 bytes for base64 bytes"],
  ["=", "Input byte[] should at least have 2 bytes for base64 bytes"],
  ["A=", "Last unit does not have enough valid bits"],
  ["AAAAA", "Last unit does not have enough valid bits"],
  ["AAAAA===", "Last unit does not have enough valid bits"],
  ["==", "Input byte array has wrong 4-byte ending unit"],
  ["AA=", "Input byte array has wrong 4-byte ending unit"],
  ["AAAA=", "Input byte array has wrong 4-byte ending unit"],
  ["AAAA==", "Input byte array has wrong 4-byte ending unit"],
  ["AB==CD", "Input byte array has incorrect ending byte at 4"],
  ["AAA=A", "Input byte array has incorrect ending byte at 4"],
  ["a-_b", "Illegal base64 character 2d"],
  ["éAAA", "Illegal base64 character -17"],
  ["€AAA", "Illegal base64 character 3f"],
])("reports errors in %j with Java's messages", (text, problem) => {
  expect(() => readJavaBase64(text)).toThrow(problem);
});

it("decodes texts of any length", () => {
  const bytes = new Uint8Array(LONG_BYTES).fill(0xa5);

  expect(Buffer.compare(readJavaBase64(toBase64(bytes)), bytes)).toBe(0);
});
