import { NEWEST_FORK, rulesOf } from "@plinth/core/evm";
import { CLZ } from "./clz.js";
import type { Instruction } from "./instruction.js";

/** Instructions in separate files, by name. */
const BY_NAME: Readonly<Record<string, Instruction>> = { CLZ };

/** Same by opcode, for every fork that has them. */
export const INSTRUCTIONS: ReadonlyMap<number, Instruction> = new Map(
  Object.entries(BY_NAME).map(([name, instruction]) => [byteOf(name), instruction]),
);

function byteOf(name: string): number {
  const [byte] = rulesOf(NEWEST_FORK).opcodes[name] ?? [];
  if (byte === undefined) throw new Error(`no fork has the instruction ${name}`);
  return byte;
}
