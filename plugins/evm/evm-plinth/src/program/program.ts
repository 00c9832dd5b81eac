import { type Word, wordOfBytes } from "../arithmetic/words.js";
import { OP } from "./opcodes.js";
import type { Rules } from "./rules.js";

/**
 * Code as the interpreter runs it: one operation per instruction, with its operand decoded.
 *
 * Operations are grouped in regions: straight-line code that is entered only at the top. The first operation of a region
 * is a JUMPDEST or a BEGIN, which charges the static gas of the whole region and checks its stack once. A region ends
 * after a jump and after every operation that observes or passes on gas; dynamic costs are charged on the way.
 */
export interface Program {
  readonly code: Uint8Array;
  /** Single operations: opcodes and BEGIN. All pushes are PUSH1. */
  readonly plain: Uint8Array;
  /** Same with fused pairs for regions that are paid for; the second of a pair is never reached. */
  readonly fused: Uint8Array;
  /** The pushed value; for a fused jump, the target operation. */
  readonly operands: readonly Word[];
  /** Position of an operation in the code. */
  readonly positions: Int32Array;
  /** The operation at a jump destination, -1 elsewhere. */
  readonly targets: Int32Array;
  /** For the first operation of a region: the static gas of the whole region. */
  readonly regionGas: Int32Array;
  /** For the first operation of a region: the required stack height. */
  readonly regionNeeds: Int16Array;
  /** For the first operation of a region: the maximum growth of the stack. */
  readonly regionGrowth: Int16Array;
  /** Static gas of the operations after one in its region. */
  readonly rest: Int32Array;
  /** For the first operation of a region: how often it was entered. */
  readonly entries: Int32Array;
  /** The regions that were compiled. */
  compiled: CompiledRegions | undefined;
}

/** Compiled regions of a program. */
export interface CompiledRegions {
  /** By their first operations: a function that starts there, and leaves the frame where another or the interpreter continues. */
  readonly functions: (CompiledCode | undefined)[];
  /** By their first operations: their cases in those functions, 0 elsewhere. */
  readonly blocks: Int32Array;
  /** Number of cases so far. */
  count: number;
}

/** Runs on a frame of a machine. It returns the function that continues; without one, the interpreter does. */
export type CompiledCode = (frame: object, machine: object) => CompiledCode | undefined;

/** Operations of this package, on opcodes that no fork uses. */
export const BEGIN = 0x0c;
export const PUSH_JUMP = 0x0d;
export const PUSH_JUMPI = 0x0e;
export const PUSH_ADD = 0x0f;
export const ISZERO_PUSH_JUMPI = 0x1f;

/** Approximate sizes of an analysis: the code with its targets, and the arrays with a value per operation. */
const BYTES_PER_CODE_BYTE = 5;
const BYTES_PER_OPERATION = 44;

/** Whether a region starts with an operation. */
export function isHead(op: number): boolean {
  return op === BEGIN || op === OP.JUMPDEST;
}

/** A region ends after these. */
const isLast = new Uint8Array(256);
for (const op of [
  OP.STOP,
  OP.JUMP,
  OP.JUMPI,
  OP.GAS,
  OP.SSTORE,
  OP.CREATE,
  OP.CALL,
  OP.CALLCODE,
  OP.RETURN,
  OP.DELEGATECALL,
  OP.CREATE2,
  OP.STATICCALL,
  OP.REVERT,
  OP.INVALID,
  OP.SELFDESTRUCT,
]) {
  isLast[op] = 1;
}

/** Maximum length of a region, so that its stack fits into 16 bits. */
const MAX_REGION = 8_192;

/** Operations decoded between two clock reads: about ten milliseconds. */
const OPERATIONS_PER_LOOK = 2 ** 14;

/**
 * Decodes code under the rules of a fork; `interrupt` is called regularly in long code, and may
 * throw.
 */
export function analyse(code: Uint8Array, rules: Rules, interrupt: () => void = () => {}): Program {
  const draft = new Draft(code, rules);
  return draft.finish(interrupt);
}

/** Approximate size of an analysis in bytes. */
export function sizeOfAnalysis({ code, plain }: Program): number {
  return BYTES_PER_CODE_BYTE * code.length + BYTES_PER_OPERATION * plain.length;
}

class Draft {
  readonly #code: Uint8Array;
  readonly #rules: Rules;
  readonly #operands: Word[] = [];
  readonly #plain: Uint8Array;
  readonly #positions: Int32Array;
  readonly #targets: Int32Array;
  readonly #gas: Int32Array;
  readonly #needs: Int16Array;
  readonly #growth: Int16Array;
  readonly #rest: Int32Array;
  #count = 0;
  /** The first operation of the current region, -1 between regions. */
  #head = -1;
  #height = 0;

  constructor(code: Uint8Array, rules: Rules) {
    this.#code = code;
    this.#rules = rules;
    const most = countOperations(code, rules);
    this.#plain = new Uint8Array(most);
    this.#positions = new Int32Array(most);
    this.#targets = new Int32Array(code.length).fill(-1);
    this.#gas = new Int32Array(most);
    this.#needs = new Int16Array(most);
    this.#growth = new Int16Array(most);
    this.#rest = new Int32Array(most);
  }

  finish(interrupt: () => void): Program {
    const code = this.#code;
    let position = 0;
    let nextLook = OPERATIONS_PER_LOOK;
    while (position < code.length) {
      if (this.#count >= nextLook) {
        interrupt();
        nextLook += OPERATIONS_PER_LOOK;
      }
      const byte = code[position] as number;
      this.#decode(byte, position);
      position += byte >= OP.PUSH1 && byte <= OP.PUSH32 ? byte - OP.PUSH0 + 1 : 1;
    }
    // Code that runs off its end stops.
    this.#append(OP.STOP, OP.STOP, position);
    this.#endRegion();
    const operands = this.#operands;
    const fused = fuse({ plain: this.#plain, operands, targets: this.#targets });
    return {
      code,
      plain: this.#plain,
      fused,
      operands,
      positions: this.#positions,
      targets: this.#targets,
      regionGas: this.#gas,
      regionNeeds: this.#needs,
      regionGrowth: this.#growth,
      rest: this.#rest,
      entries: new Int32Array(this.#count),
      compiled: undefined,
    };
  }

  #decode(byte: number, position: number): void {
    if (this.#rules.exists[byte] === 0) {
      this.#append(OP.INVALID, byte, position);
      return;
    }
    if (byte === OP.JUMPDEST) {
      this.#endRegion();
      this.#targets[position] = this.#count;
    }
    const isPush = byte >= OP.PUSH0 && byte <= OP.PUSH32;
    this.#append(isPush ? OP.PUSH1 : byte, byte, position);
    if (isPush) this.#operands[this.#count - 1] = this.#readPush(position, byte - OP.PUSH0);
  }

  #append(op: number, byte: number, position: number): void {
    if (this.#head >= 0 && this.#count - this.#head >= MAX_REGION) this.#endRegion();
    if (this.#head < 0) {
      this.#head = this.#count;
      this.#height = 0;
      if (op !== OP.JUMPDEST) this.#place(BEGIN, position);
    }
    const { staticGas, inputs, outputs } = this.#rules;
    const head = this.#head;
    const index = this.#place(op, position);
    const gas = this.#gas[head] as number;
    // For now the charge up to here; the rest is known when the region ends.
    this.#gas[head] = gas + (staticGas[byte] as number);
    this.#rest[index] = this.#gas[head] as number;
    const below = (inputs[byte] as number) - this.#height;
    if (below > (this.#needs[head] as number)) this.#needs[head] = below;
    this.#height += (outputs[byte] as number) - (inputs[byte] as number);
    if (this.#height > (this.#growth[head] as number)) this.#growth[head] = this.#height;
    if (isLast[op] === 1) this.#endRegion();
  }

  #place(op: number, position: number): number {
    const index = this.#count;
    this.#plain[index] = op;
    this.#positions[index] = position;
    this.#operands.push(0);
    this.#count += 1;
    return index;
  }

  #endRegion(): void {
    const head = this.#head;
    if (head < 0) return;
    const total = this.#gas[head] as number;
    for (let index = head; index < this.#count; index += 1) {
      this.#rest[index] = total - (this.#rest[index] as number);
    }
    this.#head = -1;
  }

  /** Padded with zeros if the code ends before the operand does. */
  #readPush(position: number, length: number): Word {
    const code = this.#code;
    const start = position + 1;
    if (start + length <= code.length) return wordOfBytes(code, start, start + length);
    const padded = new Uint8Array(length);
    padded.set(code.subarray(start));
    return wordOfBytes(padded);
  }
}

/** Number of operations, including the BEGIN of every region and the final STOP. */
function countOperations(code: Uint8Array, { exists }: Rules): number {
  let count = 0;
  let isOpen = false;
  let length = 0;
  let position = 0;
  while (position < code.length) {
    const byte = code[position] as number;
    const isThere = exists[byte] === 1;
    if (isThere && byte === OP.JUMPDEST) isOpen = false;
    if (isOpen && length >= MAX_REGION) isOpen = false;
    if (!isOpen) {
      isOpen = true;
      length = 0;
      if (byte !== OP.JUMPDEST) {
        count += 1;
        length += 1;
      }
    }
    count += 1;
    length += 1;
    if (!isThere || isLast[byte] === 1) isOpen = false;
    position += byte >= OP.PUSH1 && byte <= OP.PUSH32 ? byte - OP.PUSH0 + 1 : 1;
  }
  return count + 2;
}

/** Fuses common sequences. Jumps to a constant store their target operation. */
function fuse({
  plain,
  operands,
  targets,
}: {
  readonly plain: Uint8Array;
  readonly operands: Word[];
  readonly targets: Int32Array;
}): Uint8Array {
  const fused = plain.slice();
  for (let index = 0; index + 1 < plain.length; index += 1) {
    if (plain[index] !== OP.PUSH1) continue;
    const next = plain[index + 1];
    if (next === OP.ADD) fused[index] = PUSH_ADD;
    if (next !== OP.JUMP && next !== OP.JUMPI) continue;
    const position = operands[index] as Word;
    const target = typeof position === "number" ? (targets[position] ?? -1) : -1;
    // A jump without a valid target is left to the jump itself.
    if (target < 0) continue;
    operands[index + 1] = target;
    fused[index] = next === OP.JUMP ? PUSH_JUMP : PUSH_JUMPI;
    if (next === OP.JUMPI && plain[index - 1] === OP.ISZERO) fused[index - 1] = ISZERO_PUSH_JUMPI;
  }
  return fused;
}
