/** Raw text of a request, which must be JSON. */
export type JsonText = string;

/**
 * Parameters of the maximum request size, derived from those of an example: each returns the text
 * of a list.
 */
export function costlyParams(
  example: readonly unknown[],
  bytes: number,
): readonly (readonly [string, () => JsonText])[] {
  const [first = "0x0"] = example;
  return [
    ["a parameter as long as it may be", () => JSON.stringify([`0x${"ab".repeat(bytes / 2)}`])],
    [
      "numbers as large as they may be",
      () => JSON.stringify(example.map(() => `0x${"f".repeat(64)}`)),
    ],
    ["very many parameters", () => JSON.stringify(repeat(first, bytes))],
    [
      "lists that are very long",
      () => JSON.stringify(example.map((each) => lengthen(each, bytes))),
    ],
    ["objects with very many members", () => `[${manyMembers(bytes)}]`],
    ["lists in lists", () => `[${"[".repeat(900)}${"]".repeat(900)}]`],
  ];
}

/** The same value with every list in it repeated, and text for values longer than a number. */
function lengthen(value: unknown, bytes: number): unknown {
  if (typeof value === "string" && value.length > 10) return repeat(value, bytes);
  if (Array.isArray(value)) return repeat(value[0] ?? "0x0", bytes);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value);
  const share = bytes / Math.max(1, members.length);
  return Object.fromEntries(members.map(([name, member]) => [name, lengthen(member, share)]));
}

function repeat(value: unknown, bytes: number): readonly unknown[] {
  const { length } = JSON.stringify(value);
  return Array.from({ length: Math.floor(bytes / (length + 1)) }, () => value);
}

function manyMembers(bytes: number): JsonText {
  const members = Array.from({ length: Math.floor(bytes / 16) }, (_, n) => `"k${n}":"0x0"`);
  return `{${members.join(",")}}`;
}
