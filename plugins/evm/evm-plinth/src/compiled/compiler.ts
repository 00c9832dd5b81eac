import type { Compiler } from "../program/compiler.js";
import {
  BYTES_PER_CODE_BYTE,
  type CompiledCode,
  type CompiledRegions,
  type Program,
} from "../program/program.js";
import { generate, isHead } from "./generator.js";
import { RUN_TIME, RUN_TIME_NAMES } from "./run-time.js";

/**
 * Entries until a region is compiled: what it took until then is longer than compiling takes, so code that is made to be
 * compiled in vain gains little.
 */
const ENTRIES = 16_000;
/** Regions with this part of the entries are compiled with it. */
const NEAR = 8;
/** Operations per function: V8 does not optimize functions that are too long, and joins the others slowly. */
const MAX_OPERATIONS = 400;
/** Approximate size limit of the compiled programs of a thread, with their analyses. */
const MAX_BYTES = 64 * 2 ** 20;
/** Approximate sizes of what is kept for every operation of a compiled program, and more for those that are compiled. */
const BYTES_PER_OPERATION = BYTES_PER_CODE_BYTE + 12;
const BYTES_PER_COMPILED = 500;

/** The compiled programs of a thread with their sizes in bytes, the oldest first. */
const compiled = new Map<Program, number>();
let total = 0;
/** Where a process forbids code generation, the interpreter does everything. */
let isForbidden = false;
/** Entries of regions that are not compiled. */
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
      drop(program);
      program.entries.fill(NEVER);
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
    const count = entries[from] as number;
    if (from === head)
      regions.push({ head, length: end - from, entries: Number.POSITIVE_INFINITY });
    else if (count >= least && known?.functions[from] === undefined) {
      regions.push({ head: from, length: end - from, entries: count });
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
  const code = evaluate(generate(program, blocks), { ...known, program });
  if (code === undefined) return undefined;
  for (const { head, number } of blocks) {
    known.functions[head] = code;
    known.blocks[head] = number;
  }
  known.count += blocks.length;
  program.compiled = known;
  const operations = regions.reduce((sum, { length }) => sum + length, 0);
  keep(program, operations);
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
    // The parentheses let V8 compile the inner function at once, instead of parsing it twice.
    const create = new Function(
      "runTime",
      "variables",
      `"use strict";
const { ${RUN_TIME_NAMES} } = runTime;
const { program, functions, blocks } = variables;
return ((frame, machine) => {
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

/** Counts a compiled program; those compiled first are interpreted again if all of them are too large. */
function keep(program: Program, operations: number): void {
  const before = compiled.get(program) ?? 0;
  const analysis = before === 0 ? BYTES_PER_OPERATION * program.entries.length : 0;
  const after = before + analysis + BYTES_PER_COMPILED * operations;
  compiled.set(program, after);
  total += after - before;
  for (const oldest of compiled.keys()) {
    if (total <= MAX_BYTES || oldest === program) return;
    drop(oldest);
    oldest.entries.fill(0);
  }
}

function drop(program: Program): void {
  total -= compiled.get(program) ?? 0;
  compiled.delete(program);
  program.compiled = undefined;
}
