import { withoutPrefix } from "@plinth/core";
import type { GenesisFacts, GenesisFinding } from "@plinth/core/consensus";
import { findMember } from "@plinth/core/rules";

const ADDRESS_DIGITS = 40;

/** Accounts that stand there twice, and addresses that are too short to be meant. */
export function checkAlloc({ genesis }: GenesisFacts): readonly GenesisFinding[] {
  const keys = Object.keys(Object(findMember(genesis, "alloc")));
  return [...findRepeated(keys), ...findShort(keys)];
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
        problem: `is the account of alloc.${other} once more: programs differ in which of them counts, and then in block 0`,
        fix: "keep one of them, before the network begins",
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
      problem: `has ${withoutPrefix(key).length} digits of ${ADDRESS_DIGITS}, and is read with zeros before them`,
      fix: "write the whole address",
    }));
}
