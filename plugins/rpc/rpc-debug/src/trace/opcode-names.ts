import { NEWEST_FORK, rulesOf } from "@plinth/core/evm";

/** The names of the instructions by their bytes; those that are not here are invalid. */
const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(rulesOf(NEWEST_FORK).opcodes).map(([name, [byte]]) => [byte, name]),
);
const DIFFICULTY = 0x44;

/** What an instruction is called; one of them changed its name with the merge. */
export function opcodeName(op: number, { isMerged }: { readonly isMerged: boolean }): string {
  if (op === DIFFICULTY && isMerged) return "PREVRANDAO";
  return NAMES.get(op) ?? "INVALID";
}
