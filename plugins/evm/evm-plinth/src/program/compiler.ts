import type { CompiledCode, Program } from "./program.js";

/** Compiles regions of programs. */
export interface Compiler {
  /** Number of entries into a region until it is compiled. */
  readonly after: number;
  /** The compiled region of an operation, with others that are entered often; nothing if it cannot be compiled. */
  compile(program: Program, head: number): CompiledCode | undefined;
  /** A program is never compiled again. */
  forget(program: Program): void;
}
