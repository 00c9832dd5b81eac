import { withoutPrefix } from "@plinth/core";
import type { GenesisFinding } from "@plinth/core/consensus";

const ADDRESS_DIGITS = 40;

/** Duplicate accounts, and addresses that are suspiciously short. */
export function checkAlloc(names: readonly string[]): readonly GenesisFinding[] {
  return [...findRepeated(names), ...findShort(names)];
}

function findRepeated(keys: readonly string[]): readonly GenesisFinding[] {
  const first = new Map<string, string>();
  return keys.flatMap((key): readonly GenesisFinding[] => {
    const address = withoutPrefix(key).toLowerCase().padStart(ADDRESS_DIGITS, "0");
    const other = first.get(address);
    if (other === undefined) {
      first.set(address, key);
      return [];
    }
    return [
      {
        severity: "warning",
        key: `alloc.${key}`,
        problem: `duplicates the account alloc.${other}: clients differ in which of them counts, and therefore in block 0`,
        fix: "keep one of them, before the network starts",
      },
    ];
  });
}

function findShort(keys: readonly string[]): readonly GenesisFinding[] {
  return keys
    .filter((key) => withoutPrefix(key).length < ADDRESS_DIGITS)
    .map((key) => ({
      severity: "warning",
      key: `alloc.${key}`,
      problem: `has ${withoutPrefix(key).length} digits of ${ADDRESS_DIGITS}, and is padded with leading zeros`,
      fix: "write the whole address",
    }));
}
