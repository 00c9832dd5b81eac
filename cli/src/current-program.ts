import { type AnyCommand, InvariantError, type Node } from "@plinth/core";

/** The commands that plugins brought, and the registered node they run on. */
export interface RegisteredProgram {
  readonly node: Node;
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
