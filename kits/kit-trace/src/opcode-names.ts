import { NEWEST_FORK, rulesOf } from "@plinth/core/evm";

/** Instruction names by opcode; missing ones are invalid. */
const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(rulesOf(NEWEST_FORK).opcodes).map(([name, [byte]]) => [byte, name]),
);
const DIFFICULTY = 0x44;

/** The name of an instruction; one was renamed by the merge. */
export function opcodeName(op: number, { isMerged }: { readonly isMerged: boolean }): string {
  if (op === DIFFICULTY && isMerged) return "PREVRANDAO";
  return NAMES.get(op) ?? "INVALID";
}
