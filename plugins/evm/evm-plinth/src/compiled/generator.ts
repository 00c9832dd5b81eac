import { add, and, mul, not, or, shl, shr, sub } from "../arithmetic/arithmetic.js";
import { MAX_NUMBER, WORD_BYTES, type Word } from "../arithmetic/words.js";
import { OP } from "../program/opcodes.js";
import { isHead, type Program } from "../program/program.js";
import { PAIR_BYTES } from "../word-hashes.js";
import { type Item, VirtualStack } from "./virtual-stack.js";

const MAX_INT32 = 2 ** 31 - 1;
const MAX_NUMBER_AS_BIGINT = BigInt(MAX_NUMBER);
/** Number of values of a word. */
const VALUES = 2n ** 256n;
const MAX_SHIFT = 52;
/** Items that a seldom branch writes. */
const MAX_WRITES_ASIDE = 12;
/** A shift to the right by this many bits leaves a number. */
const NUMBER_SHIFT = 256 - 53;
/** EIP-7939. */
const CLZ = 0x1e;
/** Dynamic gas of a hash of 64 bytes. */
const PAIR_GAS = 12;

/** A region to be compiled. */
export interface BlockStart {
  /** Its first operation. */
  readonly head: number;
  /** Its case in the generated switch. */
  readonly number: number;
}

/** The regions of a function, whose cases are consecutive numbers. */
interface Blocks {
  /** By their first operations. */
  readonly numbers: ReadonlyMap<number, number>;
  readonly first: number;
  readonly last: number;
}

/**
 * JavaScript for some regions of a program: the statements of a function `(frame, machine)`.
 *
 * A region is a case of a switch in a loop. A jump to another region of the same function sets the case; whatever the function
 * does not do itself is left to the interpreter, at an operation and with a frame that is up to date. Nothing of the code
 * gets into the text but numbers, as literals of this file.
 */
export function generate(program: Program, blocks: readonly BlockStart[]): string {
  const all = {
    numbers: new Map(blocks.map(({ head, number }) => [head, number])),
    first: blocks[0]?.number ?? 0,
    last: blocks.at(-1)?.number ?? 0,
  };
  const lines = [
    "const { stack, memory } = frame;",
    "const { isWatched, maxStackItems } = machine;",
    "const { targets } = program;",
    "let sp = frame.sp;",
    "let gas = frame.gas;",
    "let next = blocks[frame.ip];",
    "for (;;) switch (next) {",
  ];
  for (const [index, block] of blocks.entries()) {
    const writer = new BlockWriter(program, all, block);
    lines.push(...writer.write(blocks[index + 1]?.head));
  }
  lines.push('default: throw new Error("there is no block " + next);', "}");
  return lines.join("\n");
}

/** Writes one region. */
class BlockWriter {
  readonly #program: Program;
  readonly #blocks: Blocks;
  readonly #block: BlockStart;
  readonly #lines: string[] = [];
  readonly #stack = new VirtualStack((position) => this.#define(`stack[${at(position)}]`));
  #names = 0;

  constructor(program: Program, blocks: Blocks, block: BlockStart) {
    this.#program = program;
    this.#blocks = blocks;
    this.#block = block;
  }

  /** `following` is the region of the next case, which is entered without a jump. */
  write(following: number | undefined): readonly string[] {
    const { plain, regionGas, regionNeeds, regionGrowth } = this.#program;
    const { head, number } = this.#block;
    this.#lines.push(
      `case ${number}: {`,
      `if (gas < ${regionGas[head]} || sp < ${regionNeeds[head]} || sp + ${regionGrowth[head]} > maxStackItems || (isWatched && gas < frame.nextLook)) return leave(frame, ${head}, sp, gas);`,
      `gas -= ${regionGas[head]};`,
    );
    let ip = head + 1;
    while (ip < plain.length && !isHead(plain[ip] as number)) {
      if (!this.#operation(plain[ip] as number, ip)) return [...this.#lines, "}"];
      ip += 1;
    }
    // The region is followed by another.
    this.#settle();
    if (ip !== following) this.#lines.push(this.#goTo(ip));
    return [...this.#lines, "}"];
  }

  /** Returns whether the next operation is reached. */
  #operation(op: number, ip: number): boolean {
    const stack = this.#stack;
    if (op >= OP.DUP1 && op < OP.DUP1 + 16) {
      stack.push(stack.peek(op - OP.DUP1 + 1));
      return true;
    }
    if (op >= OP.SWAP1 && op < OP.SWAP1 + 16) {
      stack.swap(op - OP.SWAP1 + 1);
      return true;
    }
    const binary = BINARY[op];
    if (binary !== undefined) {
      const [a, b] = [this.#word(stack.pop()), this.#word(stack.pop())];
      this.#pushResult(binary(a, b));
      return true;
    }
    switch (op) {
      case 0x60: // PUSH1
        stack.push(literal(this.#program.operands[ip] as Word));
        return true;
      case 0x50: // POP
        stack.pop();
        return true;
      case 0x15: // ISZERO
        this.#pushResult(isZero(stack.pop()));
        return true;
      case 0x19: {
        // NOT
        const a = this.#word(stack.pop());
        this.#pushResult(a.value === undefined ? word(`not(${a.text})`) : literal(not(a.value)));
        return true;
      }
      case 0x08: // ADDMOD
      case 0x09: {
        // MULMOD
        const name = op === 0x08 ? "addmod" : "mulmod";
        const items = [1, 2, 3].map(() => this.#word(stack.pop()).text);
        this.#pushResult(word(`${name}(${items.join(", ")})`));
        return true;
      }
      case 0x30: // ADDRESS
        this.#pushResult(word("frame.addressWord"));
        return true;
      case 0x33: // CALLER
        this.#pushResult(word("frame.callerWord"));
        return true;
      case 0x34: // CALLVALUE
        this.#pushResult(word("toWord(frame.value)"));
        return true;
      case 0x35: // CALLDATALOAD
        this.#pushResult(word(`inputWord(frame, ${this.#word(stack.pop()).text})`));
        return true;
      case 0x36: // CALLDATASIZE
        this.#pushResult(number("frame.input.length"));
        return true;
      case 0x38: // CODESIZE
        stack.push(literal(this.#program.code.length));
        return true;
      case 0x3d: // RETURNDATASIZE
        this.#pushResult(number("frame.returned.length"));
        return true;
      case 0x32: // ORIGIN
      case 0x3a: // GASPRICE
      case 0x41: // COINBASE
      case 0x42: // TIMESTAMP
      case 0x43: // NUMBER
      case 0x44: // PREVRANDAO
      case 0x45: // GASLIMIT
      case 0x46: // CHAINID
      case 0x47: // SELFBALANCE
      case 0x48: // BASEFEE
      case 0x4a: // BLOBBASEFEE
        this.#pushResult(word(`contextValue(${op}, machine, frame)`));
        return true;
      case 0x40: // BLOCKHASH
        this.#pushResult(word(`blockHash(machine, ${this.#word(stack.pop()).text})`));
        return true;
      case 0x49: // BLOBHASH
        this.#pushResult(word(`blobHash(machine, ${this.#word(stack.pop()).text})`));
        return true;
      case 0x58: // PC
        stack.push(literal(this.#program.positions[ip] as number));
        return true;
      case 0x59: // MSIZE
        this.#pushResult(number("memory.size"));
        return true;
      case 0x5a: // GAS
        this.#pushResult(word("frame.reserve === 0n ? gas : toWord(BigInt(gas) + frame.reserve)"));
        return true;
      case 0x5c: // TLOAD
        this.#pushResult(
          word(`frame.account.transient?.get(${this.#word(stack.pop()).text}) ?? 0`),
        );
        return true;
      case 0x51: // MLOAD
        this.#load(ip);
        return true;
      case 0x52: // MSTORE
        this.#store(ip);
        return true;
      case 0x20: // KECCAK256
        this.#hash(ip);
        return true;
      case 0x56: // JUMP
        return this.#jump(ip);
      case 0x57: // JUMPI
        return this.#jumpIf(ip);
      default:
        if (!PAID.has(op)) return this.#leave(ip);
        this.#pay(op, ip);
        return true;
    }
  }

  #load(ip: number): void {
    const offset = this.#word(this.#stack.peek(1));
    const name = this.#name();
    this.#limitWrites();
    this.#lines.push(
      `let ${name};`,
      `if (${isWithin(offset, WORD_BYTES)}) ${name} = readWord(memory.view, ${offset.text});`,
      `else { ${this.#paidAside(OP.MLOAD, ip)} ${name} = stack[${at(this.#stack.height - 1)}]; }`,
    );
    this.#stack.pop();
    this.#stack.push({ text: name, kind: "word" });
  }

  #store(ip: number): void {
    const [offset, value] = [this.#word(this.#stack.peek(1)), this.#word(this.#stack.peek(2))];
    this.#limitWrites();
    this.#lines.push(
      `if (${isWithin(offset, WORD_BYTES)}) writeWord(memory.view, ${offset.text}, ${value.text});`,
      `else { ${this.#paidAside(OP.MSTORE, ip)} }`,
    );
    this.#stack.pop();
    this.#stack.pop();
  }

  /** Solidity hashes 64 bytes for every slot of a mapping. */
  #hash(ip: number): void {
    const [offset, length] = [this.#word(this.#stack.peek(1)), this.#word(this.#stack.peek(2))];
    if (length.value !== undefined && length.value !== PAIR_BYTES) {
      this.#pay(OP.KECCAK256, ip);
      return;
    }
    const name = this.#name();
    this.#limitWrites();
    const isPair = length.value === undefined ? `${length.text} === ${PAIR_BYTES} && ` : "";
    this.#lines.push(
      `let ${name};`,
      `if (${isPair}gas >= ${PAIR_GAS} && ${isWithin(offset, PAIR_BYTES)}) { gas -= ${PAIR_GAS}; ${name} = hashPair(memory.view, ${offset.text}); }`,
      `else { ${this.#paidAside(OP.KECCAK256, ip)} ${name} = stack[${at(this.#stack.height - 2)}]; }`,
    );
    this.#stack.pop();
    this.#stack.pop();
    this.#stack.push({ text: name, kind: "word" });
  }

  /** An instruction with a dynamic cost in a branch that is seldom taken. */
  #paidAside(op: number, ip: number): string {
    const text = `${this.#writes()} ${this.#paid(op, ip)}`;
    this.#stack.perhapsWritten();
    return text;
  }

  /** Before a branch that writes all items: many are written once for all branches, so that the text does not grow with their square. */
  #limitWrites(): void {
    if (this.#stack.unwritten.length <= MAX_WRITES_ASIDE) return;
    this.#lines.push(this.#writes());
    this.#stack.written();
  }

  /** An instruction with a dynamic cost, for which the array must have all items. */
  #pay(op: number, ip: number): void {
    this.#lines.push(`${this.#writes()} ${this.#paid(op, ip)}`);
    this.#stack.written();
    const [inputs, outputs] = effectOf(op);
    for (let index = 0; index < inputs; index += 1) this.#stack.pop();
    if (outputs === 0) return;
    const name = this.#define(`stack[${at(this.#stack.height)}]`);
    this.#stack.pushStored({ text: name, kind: "word" });
  }

  #paid(op: number, ip: number): string {
    return `leave(frame, ${ip}, ${at(this.#stack.height)}, gas); if (!performPaid(${op}, machine, frame)) return; gas = frame.gas;`;
  }

  /** Leaves an operation to the interpreter. */
  #leave(ip: number): false {
    this.#lines.push(
      `${this.#writes()} return leave(frame, ${ip}, ${at(this.#stack.height)}, gas);`,
    );
    return false;
  }

  #jump(ip: number): boolean {
    const { value, text } = this.#stack.peek(1);
    if (value !== undefined) {
      const target = this.#targetOf(value);
      if (target === undefined) return this.#leave(ip);
      this.#stack.pop();
      this.#settle();
      this.#lines.push(this.#goTo(target));
      return false;
    }
    const target = this.#define(`typeof ${text} === "number" ? (targets[${text}] ?? -1) : -1`);
    const { first, last } = this.#blocks;
    this.#lines.push(
      `if (${target} < 0) { ${this.#writes()} return leave(frame, ${ip}, ${at(this.#stack.height)}, gas); }`,
    );
    this.#stack.perhapsWritten();
    this.#stack.pop();
    this.#settle();
    this.#lines.push(
      `next = blocks[${target}];`,
      `if (next < ${first} || next > ${last}) ${this.#pass(target)}`,
      "continue;",
    );
    return false;
  }

  #jumpIf(ip: number): boolean {
    const { value } = this.#stack.peek(1);
    const target = value === undefined ? undefined : this.#targetOf(value);
    if (target === undefined) return this.#leave(ip);
    this.#stack.pop();
    const condition = truthOf(this.#stack.pop());
    this.#lines.push(
      `${this.#writes()} if (${condition}) { ${this.#moves()} ${this.#goTo(target)} }`,
    );
    this.#stack.written();
    return true;
  }

  /** The operation at a jump destination. */
  #targetOf(position: Word): number | undefined {
    const target = typeof position === "number" ? (this.#program.targets[position] ?? -1) : -1;
    return target < 0 ? undefined : target;
  }

  /** Continues with a region, here or in the interpreter; the array has all items. */
  #goTo(head: number): string {
    const number = this.#blocks.numbers.get(head);
    if (number === undefined) return this.#pass(String(head));
    return `{ next = ${number}; continue; }`;
  }

  /** Continues with a region of another function, or one that the interpreter runs. */
  #pass(head: string): string {
    return `{ leave(frame, ${head}, sp, gas); return functions[${head}]; }`;
  }

  /** Writes all items to the array, whose height is then that of the stack; a region ends. */
  #settle(): void {
    this.#lines.push(`${this.#writes()} ${this.#moves()}`);
    this.#stack.written();
  }

  #moves(): string {
    const { height } = this.#stack;
    return height === 0 ? "" : `sp += ${height};`;
  }

  #writes(): string {
    return this.#stack.unwritten
      .map(([position, item]) => `stack[${at(position)}] = ${textOf(item)};`)
      .join(" ");
  }

  /** An item as a word. */
  #word(item: Item): Item {
    return item.kind === "boolean" ? { text: textOf(item), kind: "number" } : item;
  }

  #pushResult(item: Item): void {
    if (item.value === undefined) this.#stack.push({ ...item, text: this.#define(item.text) });
    else this.#stack.push(item);
  }

  #define(expression: string): string {
    const name = this.#name();
    this.#lines.push(`const ${name} = ${expression};`);
    return name;
  }

  #name(): string {
    this.#names += 1;
    return `v${this.#names}`;
  }
}

/** Instructions with a dynamic cost after which the same frame continues, and their effect on the stack. */
const PAID: ReadonlyMap<number, readonly [number, number]> = new Map([
  [OP.EXP, [2, 1]],
  [OP.KECCAK256, [2, 1]],
  [OP.BALANCE, [1, 1]],
  [OP.CALLDATACOPY, [3, 0]],
  [OP.CODECOPY, [3, 0]],
  [OP.EXTCODESIZE, [1, 1]],
  [OP.EXTCODECOPY, [4, 0]],
  [OP.RETURNDATACOPY, [3, 0]],
  [OP.EXTCODEHASH, [1, 1]],
  [OP.MSTORE8, [2, 0]],
  [OP.SLOAD, [1, 1]],
  [OP.SSTORE, [2, 0]],
  [OP.TSTORE, [2, 0]],
  [OP.MCOPY, [3, 0]],
  [CLZ, [1, 1]],
  [OP.LOG0, [2, 0]],
  [OP.LOG0 + 1, [3, 0]],
  [OP.LOG0 + 2, [4, 0]],
  [OP.LOG0 + 3, [5, 0]],
  [OP.LOG0 + 4, [6, 0]],
]);

function effectOf(op: number): readonly [number, number] {
  const effect = PAID.get(op);
  if (effect === undefined) throw new Error(`instruction ${op} is not compiled`);
  return effect;
}

/** Results of the instructions with two operands; the first is from the top. */
const BINARY: Readonly<Record<number, (a: Item, b: Item) => Item>> = {
  1: (a, b) =>
    folded(add, a, b) ??
    lowered(a, b) ??
    lowered(b, a) ??
    guarded(a, b, `${a.text} + ${b.text} <= ${MAX_NUMBER}`, `${a.text} + ${b.text}`, "add"),
  2: (a, b) =>
    folded(mul, a, b) ??
    guarded(a, b, `${a.text} * ${b.text} <= ${MAX_NUMBER}`, `${a.text} * ${b.text}`, "mul"),
  3: (a, b) =>
    folded(sub, a, b) ?? guarded(a, b, `${a.text} >= ${b.text}`, `${a.text} - ${b.text}`, "sub"),
  4: (a, b) => divided(a, b, "div", `Math.floor(${a.text} / ${b.text})`),
  5: called("sdiv"),
  6: (a, b) => divided(a, b, "mod", `${a.text} % ${b.text}`),
  7: called("smod"),
  11: called("signextend"),
  16: isLess,
  17: (a, b) => isLess(b, a),
  18: isSignedLess,
  19: (a, b) => isSignedLess(b, a),
  20: (a, b) => boolean(`${a.text} === ${b.text}`),
  22: conjunction,
  23: (a, b) =>
    folded(or, a, b) ??
    guarded(
      a,
      b,
      `${a.text} <= ${MAX_INT32} && ${b.text} <= ${MAX_INT32}`,
      `${a.text} | ${b.text}`,
      "or",
    ),
  24: (a, b) =>
    guarded(
      a,
      b,
      `${a.text} <= ${MAX_INT32} && ${b.text} <= ${MAX_INT32}`,
      `${a.text} ^ ${b.text}`,
      "xor",
    ),
  26: (a, b) => number(`byte(${a.text}, ${b.text})`),
  27: shiftedLeft,
  28: shiftedRight,
  29: called("sar"),
};

/** The result if both operands are known. */
function folded(compute: (a: Word, b: Word) => Word, a: Item, b: Item): Item | undefined {
  if (a.value === undefined || b.value === undefined) return undefined;
  return literal(compute(a.value, b.value));
}

/** An operation on numbers if a condition holds, else a function of `run-time.ts`. */
function guarded(a: Item, b: Item, condition: string, quick: string, name: string): Item {
  const call = `${name}(${a.text}, ${b.text})`;
  const areNumbers = [isNumber(a), isNumber(b)];
  if (areNumbers.includes("false")) return word(call);
  return word(`${all([...areNumbers, condition])} ? ${quick} : ${call}`);
}

/** The sum of an item and a constant that stands for a negative number: Solidity adds `not(31)` to subtract 32. */
function lowered(item: Item, { value, text }: Item): Item | undefined {
  const negative = typeof value === "bigint" ? VALUES - value : MAX_NUMBER_AS_BIGINT;
  if (negative >= MAX_NUMBER_AS_BIGINT || item.kind === "bigint") return undefined;
  const isEnough = all([isNumber(item), `${item.text} >= ${negative}`]);
  return word(`${isEnough} ? ${item.text} - ${negative} : add(${item.text}, ${text})`);
}

function divided(a: Item, b: Item, name: string, quick: string): Item {
  const call = `${name}(${a.text}, ${b.text})`;
  const isKnown = typeof b.value === "number" && b.value !== 0;
  if (!isKnown || a.kind === "bigint") return word(call);
  if (a.kind === "number") return number(quick);
  return word(`${isNumber(a)} ? ${quick} : ${call}`);
}

function called(name: string): (a: Item, b: Item) => Item {
  return (a, b) => word(`${name}(${a.text}, ${b.text})`);
}

/** Every BigInt is greater than every number. */
function isLess(a: Item, b: Item): Item {
  const quick = `${a.text} < ${b.text}`;
  if (a.kind === b.kind && a.kind !== "word") return boolean(quick);
  if (a.kind === "bigint" && b.kind === "number") return boolean("false");
  if (a.kind === "number" && b.kind === "bigint") return boolean("true");
  if (b.kind === "number") return boolean(`${isNumber(a)} && ${quick}`);
  if (a.kind === "number") return boolean(`typeof ${b.text} === "bigint" || ${quick}`);
  if (b.kind === "bigint") return boolean(`${isNumber(a)} || ${quick}`);
  if (a.kind === "bigint") return boolean(`typeof ${b.text} === "bigint" && ${quick}`);
  return boolean(`${isNumber(a)} && ${isNumber(b)} ? ${quick} : less(${a.text}, ${b.text})`);
}

function isSignedLess(a: Item, b: Item): Item {
  if (a.kind === "number" && b.kind === "number") return boolean(`${a.text} < ${b.text}`);
  return boolean(`slt(${a.text}, ${b.text}) === 1`);
}

/** Code that Solidity made masks with all kinds of widths. */
function conjunction(a: Item, b: Item): Item {
  const both = folded(and, a, b);
  if (both !== undefined) return both;
  const [mask, item] = a.value === undefined ? [b, a] : [a, b];
  const call = `and(${item.text}, ${mask.text})`;
  if (typeof mask.value === "bigint" && isLowMask(mask.value)) {
    if (item.kind === "number") return item;
    return word(`${isNumber(item)} || ${item.text} <= ${mask.text} ? ${item.text} : ${call}`);
  }
  const unit = typeof mask.value === "bigint" ? VALUES - mask.value : 0n;
  if (item.kind !== "bigint" && isUnit(unit)) {
    const rounded = `${item.text} - (${item.text} % ${unit})`;
    if (item.kind === "number") return number(rounded);
    return word(`${isNumber(item)} ? ${rounded} : ${call}`);
  }
  const quick = `${item.text} & ${mask.text}`;
  const isSmall = `${item.text} <= ${MAX_INT32}`;
  if (typeof mask.value === "number" && mask.value <= MAX_INT32 && item.kind !== "bigint") {
    return number(`${all([isNumber(item), isSmall])} ? ${quick} : ${call}`);
  }
  if (item.kind === "number" || mask.kind === "number") return number(call);
  return word(call);
}

/** Ones only, below zeros, and more than a number has. */
function isLowMask(mask: bigint): boolean {
  return (mask & (mask + 1n)) === 0n && mask >= BigInt(MAX_NUMBER);
}

/** Whether a number less its remainder is the number without its lowest bits. */
function isUnit(value: bigint): boolean {
  return value > 0n && value < MAX_NUMBER_AS_BIGINT && (value & (value - 1n)) === 0n;
}

function shiftedLeft(shift: Item, item: Item): Item {
  const both = folded(shl, shift, item);
  if (both !== undefined) return both;
  const call = `shl(${shift.text}, ${item.text})`;
  const { value } = shift;
  if (typeof value !== "number" || value > MAX_SHIFT || item.kind === "bigint") return word(call);
  const factor = 2 ** value;
  const isExact = `${item.text} <= ${Math.floor(MAX_NUMBER / factor)}`;
  return word(`${all([isNumber(item), isExact])} ? ${item.text} * ${factor} : ${call}`);
}

function shiftedRight(shift: Item, item: Item): Item {
  const both = folded(shr, shift, item);
  if (both !== undefined) return both;
  const call = `shr(${shift.text}, ${item.text})`;
  const { value } = shift;
  if (typeof value !== "number") return word(call);
  if (value >= NUMBER_SHIFT) return number(call);
  if (value > MAX_SHIFT || item.kind === "bigint") return word(call);
  return word(`${isNumber(item)} ? Math.floor(${item.text} / ${2 ** value}) : ${call}`);
}

function isZero(item: Item): Item {
  return item.kind === "boolean" ? boolean(`!${item.text}`) : boolean(`${item.text} === 0`);
}

function truthOf(item: Item): string {
  return item.kind === "boolean" ? item.text : `${item.text} !== 0`;
}

/** Whether an item is a number: an expression, or "true" or "false" if that is known. */
function isNumber({ kind, text }: Item): string {
  if (kind === "number") return "true";
  return kind === "bigint" ? "false" : `typeof ${text} === "number"`;
}

function all(conditions: readonly string[]): string {
  const open = conditions.filter((condition) => condition !== "true");
  return open.length === 0 ? "true" : open.join(" && ");
}

/** Whether the memory has `length` bytes at an offset. */
function isWithin(offset: Item, length: number): string {
  return all([isNumber(offset), `${offset.text} + ${length} <= memory.size`]);
}

function word(text: string): Item {
  return { text, kind: "word" };
}

function number(text: string): Item {
  return { text, kind: "number" };
}

function boolean(text: string): Item {
  return { text, kind: "boolean" };
}

function literal(value: Word): Item {
  if (typeof value === "number") return { text: String(value), kind: "number", value };
  return { text: `0x${value.toString(16)}n`, kind: "bigint", value };
}

/** An item as the array has it. */
function textOf({ text, kind }: Item): string {
  return kind === "boolean" ? `(${text} ? 1 : 0)` : text;
}

/** A position relative to the height at the start of a block. */
function at(position: number): string {
  if (position === 0) return "sp";
  return position > 0 ? `sp + ${position}` : `sp - ${-position}`;
}
