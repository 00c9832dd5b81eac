import { decodeError } from "./abi/book.js";
import type { Child } from "./dom.js";
import { h } from "./dom.js";
import { valueText } from "./parts/values.js";

/** What the compiler means by the codes of its checks. */
const PANICS: Readonly<Record<string, string>> = {
  "0": "a generic failure",
  "1": "an assertion does not hold",
  "17": "an arithmetic overflow or underflow",
  "18": "a division by zero",
  "33": "a value that its enum does not have",
  "34": "incorrectly encoded storage",
  "49": "pop on an empty array",
  "50": "an index out of bounds",
  "65": "too much memory",
  "81": "a call of an uninitialized function",
};

/** The data of a revert in words, as far as its error is known. */
export function describeRevert(data: string): Child {
  if (data === "0x" || data === "") return "without a reason";
  const decoded = decodeError(data);
  if (decoded === undefined) return h("code", { class: "whole" }, data);
  const { entry, values } = decoded;
  const [first] = values;
  if (entry.signature === "Error(string)" && first !== undefined) return valueText(first);
  if (entry.signature === "Panic(uint256)") {
    return `Panic: ${PANICS[first?.text ?? ""] ?? "unknown"} (code ${first?.text})`;
  }
  return [
    h("strong", {}, entry.name),
    "(",
    values.map((value, index) => [
      index > 0 && ", ",
      value.name !== "" && `${value.name}: `,
      valueText(value),
    ]),
    ")",
  ];
}
