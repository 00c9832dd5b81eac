import { type AnyCommand, InvariantError } from "@plinth/core";
import type { CommandSurroundings } from "./mount-command.js";

/** The commands that plugins brought, and what they run on. */
export interface RegisteredProgram extends CommandSurroundings {
  readonly commands: readonly AnyCommand[];
}

let current: RegisteredProgram | undefined;

/** oclif imports the map of commands as a module, so what it is made from is handed over here. */
export function setCurrentProgram(program: RegisteredProgram): void {
  current = program;
}

/** What was handed over. */
export function currentProgram(): RegisteredProgram {
  if (current === undefined)
    throw new InvariantError("commands were asked for before plugins were loaded");
  return current;
}
