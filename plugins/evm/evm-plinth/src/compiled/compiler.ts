import type { Compiler } from "../program/compiler.js";
import {
  type CompiledCode,
  type CompiledRegions,
  isHead,
  type Program,
  sizeOfAnalysis,
} from "../program/program.js";
import { generate } from "./generator.js";
import { RUN_TIME, RUN_TIME_NAMES } from "./run-time.js";

/**
 * Entries until a region is compiled: what it took until then is longer than compiling takes, so code that is made to be
 * compiled in vain gains little.
 */
const ENTRIES = 16_000;
/** Regions with this part of the entries are compiled with it. */
const NEAR = 4;
/** Operations per function: V8 does not optimize functions that are too long, and joins the others slowly. */
const MAX_OPERATIONS = 400;
/** Approximate size limit of the compiled programs of a thread, with their analyses. */
const MAX_BYTES = 64 * 2 ** 20;
/** One that is larger is interpreted, so that it does not replace all others. */
const MAX_PROGRAM_BYTES = MAX_BYTES / 4;
/** What is kept for every operation of a compiled program: entries of `functions` and `blocks`. */
const BYTES_PER_OPERATION = 12;
/** What V8 keeps for every character of generated code: the text, bytecode, and optimized code. */
const BYTES_PER_CHARACTER = 6;

/** The compiled programs of a thread with their sizes in bytes, the oldest first. */
const compiled = new Map<Program, number>();
let total = 0;
/** Where a process forbids code generation, the interpreter does everything. */
let isForbidden = false;
/** Number of entries of regions that are never compiled. */
const NEVER = -(2 ** 31);

/** The compiler of `--evm-compile`, if there is one. */
export function compilerFor(choice: "HOT" | "ALWAYS" | "NEVER"): Compiler | undefined {
  if (choice === "NEVER") return undefined;
  return choice === "ALWAYS" ? createCompiler(1) : createCompiler();
}

/** Creates a compiler. */
export function createCompiler(after = ENTRIES): Compiler {
  return {
    after,
    compile(program, head) {
      if (isForbidden) return undefined;
      const regions = selectRegions(program, {
        head,
        least: Math.max(1, Math.floor(after / NEAR)),
      });
      return regions.length === 0 ? undefined : compileRegions(program, regions);
    },
    forget(program) {
      drop(program, NEVER);
    },
  };
}

interface Region {
  readonly head: number;
  readonly length: number;
  readonly entries: number;
}

/** The region itself and those entered most often, as many as fit into a function; in their order. */
function selectRegions(
  { plain, entries, compiled: known }: Program,
  { head, least }: { readonly head: number; readonly least: number },
): readonly Region[] {
  const regions: Region[] = [];
  for (let from = 0; from < entries.length; ) {
    let end = from + 1;
    while (end < entries.length && !isHead(plain[end] as number)) end += 1;
    const length = end - from;
    const count = entries[from] as number;
    const isCompiled = known?.functions[from] !== undefined;
    if (from === head) regions.push({ head, length, entries: Number.POSITIVE_INFINITY });
    else if (count >= least && length <= MAX_OPERATIONS && !isCompiled) {
      regions.push({ head: from, length, entries: count });
    }
    from = end;
  }
  const selected: Region[] = [];
  let operations = 0;
  for (const region of regions.toSorted((a, b) => b.entries - a.entries)) {
    operations += region.length;
    if (operations > MAX_OPERATIONS) break;
    selected.push(region);
  }
  return selected.toSorted((a, b) => a.head - b.head);
}

/** Compiles regions to one function. */
function compileRegions(program: Program, regions: readonly Region[]): CompiledCode | undefined {
  const known = program.compiled ?? noRegions(program);
  const blocks = regions.map(({ head }, index) => ({ head, number: known.count + index + 1 }));
  const statements = generate(program, blocks);
  const code = evaluate(statements, { ...known, program });
  if (code === undefined) return undefined;
  for (const { head, number } of blocks) {
    known.functions[head] = code;
    known.blocks[head] = number;
  }
  known.count += blocks.length;
  program.compiled = known;
  keep(program, statements.length);
  return code;
}

function noRegions({ entries: { length } }: Program): CompiledRegions {
  return { functions: new Array(length).fill(undefined), blocks: new Int32Array(length), count: 0 };
}

/** The function with these statements; nothing if this process may not create it. */
function evaluate(
  statements: string,
  variables: CompiledRegions & { readonly program: Program },
): CompiledCode | undefined {
  try {
    // V8 compiles a function in parentheses at once, and parses any other, like an arrow function, twice.
    const create = new Function(
      "runTime",
      "variables",
      `"use strict";
const { ${RUN_TIME_NAMES} } = runTime;
const { program, functions, blocks } = variables;
return (function (frame, machine) {
${statements}
});`,
    );
    return create(RUN_TIME, variables) as CompiledCode;
  } catch (error) {
    if (!(error instanceof EvalError)) throw error;
    isForbidden = true;
    return undefined;
  }
}

/** Counts what was compiled of a program; those compiled least recently are interpreted again if all are too large. */
function keep(program: Program, characters: number): void {
  const before = compiled.get(program);
  const size = (before ?? sizeOfRegions(program)) + BYTES_PER_CHARACTER * characters;
  compiled.delete(program);
  compiled.set(program, size);
  total += size - (before ?? 0);
  if (size > MAX_PROGRAM_BYTES) drop(program, NEVER);
  for (const oldest of compiled.keys()) {
    if (total <= MAX_BYTES) return;
    drop(oldest, 0);
  }
}

/** Approximate size of a program without generated code. */
function sizeOfRegions(program: Program): number {
  return sizeOfAnalysis(program) + BYTES_PER_OPERATION * program.entries.length;
}

/** A program is interpreted, and the entries of its regions are counted from a number on. */
function drop(program: Program, entries: number): void {
  total -= compiled.get(program) ?? 0;
  compiled.delete(program);
  program.compiled = undefined;
  program.entries.fill(entries);
}
