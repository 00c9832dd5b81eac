import { afterEach, describe, expect, it, vi } from "vitest";
import { analyse, type Program } from "../program/program.js";
import { machineRulesOf } from "../program/rules.js";
import { createCompiler } from "./compiler.js";

const AFTER = 80;
const NEAR = 20;
/** Regions of two operations: JUMPDEST, POP. */
const REGION = [0x5b, 0x50];

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe("the compiler", () => {
  it("compiles a region with those that are entered nearly as often", () => {
    const program = regions(4);
    program.entries.set([AFTER, 0, NEAR, 0, NEAR - 1]);

    expect(createCompiler(AFTER).compile(program, 0)).toBeTypeOf("function");
    expect(compiledHeads(program)).toEqual([0, 2]);
  });

  it("compiles the regions that are entered most often if a function would be too long", () => {
    const program = regions(1000);
    for (let head = 0; head < 2000; head += 2) program.entries[head] = NEAR + head;

    createCompiler(AFTER).compile(program, 0);

    const heads = compiledHeads(program);
    // The last one has a STOP as well.
    expect(heads).toHaveLength(199);
    expect(heads.slice(0, 2)).toEqual([0, 1604]);
  });

  it("leaves a region that is too long to the interpreter", () => {
    const program = analyse(new Uint8Array(401).fill(0x58), machineRulesOf("osaka"));

    expect(createCompiler(AFTER).compile(program, 0)).toBeUndefined();
  });

  it("compiles the others together if one that is entered more often is too long", () => {
    const long = new Uint8Array(401).fill(0x58);
    const code = Uint8Array.from([0x5b, 0x50, 0x5b, ...long, 0x5b, 0x50]);
    const program = analyse(code, machineRulesOf("osaka"));
    program.entries.set([AFTER, 0, 10 * AFTER]);
    program.entries[404] = AFTER - 1;

    createCompiler(AFTER).compile(program, 0);

    expect(compiledHeads(program)).toEqual([0, 404]);
  });

  it("never compiles a program again that is better interpreted", () => {
    const program = regions(4);
    const compiler = createCompiler(AFTER);
    compiler.compile(program, 0);

    compiler.forget(program);

    expect(program.compiled).toBeUndefined();
    expect(program.entries[0]).toBeLessThan(-AFTER);
  });

  it("drops the programs that were compiled first if all are too large", () => {
    const compiler = createCompiler(AFTER);
    const first = regions(20_000);
    compiler.compile(first, 0);
    first.entries[2] = 7;
    for (let count = 0; count < 40; count += 1) compiler.compile(regions(20_000), 0);

    expect(first.compiled).toBeUndefined();
    expect(first.entries[2]).toBe(0);
  });

  it("keeps a program that is compiled again longer than those that were not", () => {
    const compiler = createCompiler(AFTER);
    const [first, second] = [regions(20_000), regions(20_000)];
    compiler.compile(first, 0);
    compiler.compile(second, 0);
    for (let count = 0; count < 23; count += 1) compiler.compile(regions(20_000), 0);
    compiler.compile(first, 2);
    for (let count = 0; count < 6; count += 1) compiler.compile(regions(20_000), 0);

    expect(first.compiled).toBeDefined();
    expect(second.compiled).toBeUndefined();
  });

  it("leaves a program that is too large to the interpreter, and keeps the others", () => {
    const compiler = createCompiler(AFTER);
    const [small, large] = [regions(4), regions(150_000)];
    compiler.compile(small, 0);
    compiler.compile(large, 0);

    expect(large.compiled).toBeUndefined();
    expect(large.entries[0]).toBeLessThan(-AFTER);
    expect(small.compiled).toBeDefined();
  });

  it("counts the text of a region, which can be long", () => {
    const compiler = createCompiler(AFTER);
    const first = regions(4);
    compiler.compile(first, 0);
    for (let count = 0; count < 70; count += 1) {
      const program = analyse(accesses(), machineRulesOf("osaka"));
      expect(compiler.compile(program, 0)).toBeTypeOf("function");
    }

    // About a megabyte each.
    expect(first.compiled).toBeUndefined();
  });

  it("compiles nothing where code must not be created from text", async () => {
    let attempts = 0;
    class Forbidden {
      constructor() {
        attempts += 1;
        throw new EvalError("Code generation from strings disallowed for this context");
      }
    }
    vi.stubGlobal("Function", Forbidden);
    vi.resetModules();
    const { createCompiler } = await import("./compiler.js");

    expect(createCompiler(AFTER).compile(regions(4), 0)).toBeUndefined();
    expect(createCompiler(AFTER).compile(regions(4), 0)).toBeUndefined();
    expect(attempts).toBe(1);
  });
});

function regions(count: number): Program {
  const code = Uint8Array.from({ length: 2 * count }, (_, index) => REGION[index % 2] as number);
  return analyse(code, machineRulesOf("osaka"));
}

/** Code that moves items, and then reads memory often: every access may have to write them. */
function accesses(): Uint8Array {
  const moves = Array.from({ length: 10 }, (_, index) => 0x90 + index);
  return Uint8Array.from([...moves, 0x5f, ...Array(340).fill(0x51)]);
}

function compiledHeads({ compiled }: Program): readonly number[] {
  return [...(compiled?.functions.keys() ?? [])].filter((head) => compiled?.functions[head]);
}
