import {
  add,
  addmod,
  and,
  byte,
  div,
  mod,
  mul,
  mulmod,
  not,
  or,
  sar,
  sdiv,
  shl,
  shr,
  signextend,
  slt,
  smod,
  sub,
  xor,
} from "../arithmetic/arithmetic.js";
import {
  addressOfWord,
  MAX_NUMBER,
  readWord,
  toWord,
  WORD_BYTES,
  type Word,
  writeWord,
} from "../arithmetic/words.js";
import { OP } from "../program/opcodes.js";
import { BEGIN, type CompiledCode, type Program } from "../program/program.js";
import { blobHash, blockHash, contextValue } from "./context-value.js";
import { costOf, TOO_LARGE } from "./costs.js";
import { perform } from "./effects.js";
import { AT_ONCE, type Frame } from "./frame.js";
import type { Halt } from "./halt.js";
import { inputWord } from "./input-word.js";
import { look } from "./look.js";
import type { Machine } from "./machine.js";
import { performPaid } from "./perform-paid.js";

const EMPTY = new Uint8Array();
const MAX_INT32 = 2 ** 31 - 1;
/** Compiled functions that pass on to one another until it is checked whether they are worth it. */
const PASSES_PER_CHECK = 200;
/** Gas that a function should use on average. */
const MIN_GAS_PER_PASS = 50;

/**
 * Runs the frames of a machine until it has a result, or returns false if it must wait.
 *
 * A state that rejects a change ends the frame; any other error ends the run.
 */
export function execute(machine: Machine): boolean {
  for (;;) {
    try {
      return runFrames(machine);
    } catch (error) {
      machine.haltOn(error);
    }
  }
}

/**
 * The interpreter loop, in one function so that its variables stay in registers. Its cases are literals, because V8
 * builds a jump table only from those.
 *
 * If a region is paid for, operations run without checks. Otherwise, and for a tracer, they run carefully: each is
 * checked and charged by itself.
 *
 * The clock is read at the start of a region, also in code without jumps, and before operations with a dynamic cost.
 */
function runFrames(machine: Machine): boolean {
  const { inputs, outputs, staticGas, isPriced } = machine.rules;
  const { maxStackItems } = machine;
  const isTraced = machine.tracer?.step !== undefined;
  const { isWatched, compileAfter } = machine;

  frames: for (;;) {
    const { frame } = machine;
    if (frame === undefined) {
      return machine.pending === undefined;
    }
    const { program, stack, memory } = frame;
    const { code, plain, operands, positions, targets, regionGas, entries } = program;
    const functions = compileAfter > 0 ? program.compiled?.functions : undefined;
    let isCareful = isTraced || frame.isCareful;
    frame.isCareful = false;
    let ops = isCareful ? plain : program.fused;
    let ip = frame.ip;
    let sp = frame.sp;
    let gas = frame.gas;
    let halt: Halt;

    run: for (;;) {
      if (isCareful) {
        const op = plain[ip] as number;
        if (op === BEGIN || op === OP.JUMPDEST) {
          if (isWatched && gas < frame.nextLook && look(machine, frame, gas)) {
            pause(machine, { ip, sp, gas, isCareful });
            return false;
          }
          if (
            !isTraced &&
            gas >= (regionGas[ip] as number) &&
            fits(program, ip, maxStackItems, sp)
          ) {
            isCareful = false;
            ops = program.fused;
            continue;
          }
          if (op === BEGIN) {
            ip += 1;
            continue;
          }
        }
        frame.ip = ip;
        frame.sp = sp;
        frame.gas = gas;
        if (isTraced) {
          if (machine.pending !== undefined) return false;
          machine.beginStep();
        }
        const instruction = code[positions[ip] as number] ?? OP.STOP;
        const taken = inputs[instruction] as number;
        if (sp < taken) {
          halt = "INSUFFICIENT_STACK_ITEMS";
          break;
        }
        if (sp - taken + (outputs[instruction] as number) > maxStackItems) {
          halt = "TOO_MANY_STACK_ITEMS";
          break;
        }
        if (isPriced[instruction] === 0) {
          if (isTraced) machine.reportStep(frame, 0);
          if (!frame.charge(staticGas[instruction] as number)) {
            halt = "INSUFFICIENT_GAS";
            break;
          }
          gas = frame.gas;
        }
      }
      const op = ops[ip] as number;
      switch (op) {
        case 0x5b: // JUMPDEST
        case 0x0c: // BEGIN
          if (isCareful) break;
          if (isWatched && gas < frame.nextLook && look(machine, frame, gas)) {
            pause(machine, { ip, sp, gas, isCareful });
            return false;
          }
          if (gas >= (regionGas[ip] as number) && fits(program, ip, maxStackItems, sp)) {
            if (compileAfter > 0) {
              let run = functions?.[ip];
              if (run === undefined) {
                const count = (entries[ip] as number) + 1;
                entries[ip] = count;
                if (count === compileAfter) run = machine.compile(program, ip);
              }
              if (run !== undefined) {
                frame.ip = ip;
                frame.sp = sp;
                frame.gas = gas;
                runCompiled(run, machine, frame);
                continue frames;
              }
            }
            gas -= regionGas[ip] as number;
            break;
          }
          isCareful = true;
          ops = plain;
          continue;
        case 0x60: // PUSH1
          stack[sp] = operands[ip] as Word;
          sp += 1;
          break;
        case 0x0d: // PUSH_JUMP
          ip = operands[ip + 1] as number;
          continue;
        case 0x0e: // PUSH_JUMPI
          sp -= 1;
          ip = stack[sp] === 0 ? ip + 2 : (operands[ip + 1] as number);
          continue;
        case 0x1f: // ISZERO_PUSH_JUMPI
          sp -= 1;
          ip = stack[sp] === 0 ? (operands[ip + 2] as number) : ip + 3;
          continue;
        case 0x56: // JUMP
        case 0x57: {
          // JUMPI
          const target = stack[sp - 1] as Word;
          sp -= 1;
          if (op === OP.JUMPI) {
            sp -= 1;
            if (stack[sp] === 0) break;
          }
          const next = typeof target === "number" ? (targets[target] ?? -1) : -1;
          if (next < 0) {
            halt = "INVALID_JUMP_DESTINATION";
            break run;
          }
          ip = next;
          continue;
        }
        case 0x50: // POP
          sp -= 1;
          break;
        case 0x80: // DUP1
        case 0x81: // DUP2
        case 0x82: // DUP3
        case 0x83: // DUP4
        case 0x84: // DUP5
        case 0x85: // DUP6
        case 0x86: // DUP7
        case 0x87: // DUP8
        case 0x88: // DUP9
        case 0x89: // DUP10
        case 0x8a: // DUP11
        case 0x8b: // DUP12
        case 0x8c: // DUP13
        case 0x8d: // DUP14
        case 0x8e: // DUP15
        case 0x8f: // DUP16
          stack[sp] = stack[sp - (op - OP.DUP1 + 1)] as Word;
          sp += 1;
          break;
        case 0x90: // SWAP1
        case 0x91: // SWAP2
        case 0x92: // SWAP3
        case 0x93: // SWAP4
        case 0x94: // SWAP5
        case 0x95: // SWAP6
        case 0x96: // SWAP7
        case 0x97: // SWAP8
        case 0x98: // SWAP9
        case 0x99: // SWAP10
        case 0x9a: // SWAP11
        case 0x9b: // SWAP12
        case 0x9c: // SWAP13
        case 0x9d: // SWAP14
        case 0x9e: // SWAP15
        case 0x9f: {
          // SWAP16
          const other = sp - 1 - (op - OP.SWAP1 + 1);
          const item = stack[other] as Word;
          stack[other] = stack[sp - 1] as Word;
          stack[sp - 1] = item;
          break;
        }
        case 0x0f: {
          // PUSH_ADD
          const a = operands[ip] as Word;
          const b = stack[sp - 1] as Word;
          ip += 2;
          if (typeof a === "number" && typeof b === "number") {
            const sum = a + b;
            if (sum <= MAX_NUMBER) {
              stack[sp - 1] = sum;
              continue;
            }
          }
          stack[sp - 1] = add(a, b);
          continue;
        }
        case 0x01: {
          // ADD
          sp -= 1;
          const a = stack[sp] as Word;
          const b = stack[sp - 1] as Word;
          if (typeof a === "number" && typeof b === "number") {
            const sum = a + b;
            if (sum <= MAX_NUMBER) {
              stack[sp - 1] = sum;
              break;
            }
          }
          stack[sp - 1] = add(a, b);
          break;
        }
        case 0x03: {
          // SUB
          sp -= 1;
          const a = stack[sp] as Word;
          const b = stack[sp - 1] as Word;
          if (typeof a === "number" && typeof b === "number" && a >= b) stack[sp - 1] = a - b;
          else stack[sp - 1] = sub(a, b);
          break;
        }
        case 0x02: {
          // MUL
          sp -= 1;
          const a = stack[sp] as Word;
          const b = stack[sp - 1] as Word;
          if (typeof a === "number" && typeof b === "number") {
            const product = a * b;
            if (product <= MAX_NUMBER) {
              stack[sp - 1] = product;
              break;
            }
          }
          stack[sp - 1] = mul(a, b);
          break;
        }
        case 0x04: // DIV
          sp -= 1;
          stack[sp - 1] = div(stack[sp] as Word, stack[sp - 1] as Word);
          break;
        case 0x05: // SDIV
          sp -= 1;
          stack[sp - 1] = sdiv(stack[sp] as Word, stack[sp - 1] as Word);
          break;
        case 0x06: // MOD
          sp -= 1;
          stack[sp - 1] = mod(stack[sp] as Word, stack[sp - 1] as Word);
          break;
        case 0x07: // SMOD
          sp -= 1;
          stack[sp - 1] = smod(stack[sp] as Word, stack[sp - 1] as Word);
          break;
        case 0x08: // ADDMOD
          sp -= 2;
          stack[sp - 1] = addmod(stack[sp + 1] as Word, stack[sp] as Word, stack[sp - 1] as Word);
          break;
        case 0x09: // MULMOD
          sp -= 2;
          stack[sp - 1] = mulmod(stack[sp + 1] as Word, stack[sp] as Word, stack[sp - 1] as Word);
          break;
        case 0x0b: // SIGNEXTEND
          sp -= 1;
          stack[sp - 1] = signextend(stack[sp] as Word, stack[sp - 1] as Word);
          break;
        case 0x10: {
          // LT
          sp -= 1;
          const a = stack[sp] as Word;
          const b = stack[sp - 1] as Word;
          if (typeof a === "number" && typeof b === "number") stack[sp - 1] = a < b ? 1 : 0;
          else stack[sp - 1] = a < b ? 1 : 0;
          break;
        }
        case 0x11: {
          // GT
          sp -= 1;
          const a = stack[sp] as Word;
          const b = stack[sp - 1] as Word;
          if (typeof a === "number" && typeof b === "number") stack[sp - 1] = a > b ? 1 : 0;
          else stack[sp - 1] = a > b ? 1 : 0;
          break;
        }
        case 0x12: // SLT
          sp -= 1;
          stack[sp - 1] = slt(stack[sp] as Word, stack[sp - 1] as Word);
          break;
        case 0x13: // SGT
          sp -= 1;
          stack[sp - 1] = slt(stack[sp - 1] as Word, stack[sp] as Word);
          break;
        case 0x14: // EQ
          sp -= 1;
          stack[sp - 1] = stack[sp] === stack[sp - 1] ? 1 : 0;
          break;
        case 0x15: // ISZERO
          stack[sp - 1] = stack[sp - 1] === 0 ? 1 : 0;
          break;
        case 0x16: {
          // AND
          sp -= 1;
          const a = stack[sp] as Word;
          const b = stack[sp - 1] as Word;
          if (typeof a === "number" && typeof b === "number" && a <= MAX_INT32 && b <= MAX_INT32) {
            stack[sp - 1] = a & b;
          } else {
            stack[sp - 1] = and(a, b);
          }
          break;
        }
        case 0x17: // OR
          sp -= 1;
          stack[sp - 1] = or(stack[sp] as Word, stack[sp - 1] as Word);
          break;
        case 0x18: // XOR
          sp -= 1;
          stack[sp - 1] = xor(stack[sp] as Word, stack[sp - 1] as Word);
          break;
        case 0x19: // NOT
          stack[sp - 1] = not(stack[sp - 1] as Word);
          break;
        case 0x1a: // BYTE
          sp -= 1;
          stack[sp - 1] = byte(stack[sp] as Word, stack[sp - 1] as Word);
          break;
        case 0x1b: // SHL
          sp -= 1;
          stack[sp - 1] = shl(stack[sp] as Word, stack[sp - 1] as Word);
          break;
        case 0x1c: // SHR
          sp -= 1;
          stack[sp - 1] = shr(stack[sp] as Word, stack[sp - 1] as Word);
          break;
        case 0x1d: // SAR
          sp -= 1;
          stack[sp - 1] = sar(stack[sp] as Word, stack[sp - 1] as Word);
          break;
        case 0x30: // ADDRESS
          stack[sp] = frame.addressWord;
          sp += 1;
          break;
        case 0x33: // CALLER
          stack[sp] = frame.callerWord;
          sp += 1;
          break;
        case 0x34: // CALLVALUE
          stack[sp] = toWord(frame.value);
          sp += 1;
          break;
        case 0x35: // CALLDATALOAD
          stack[sp - 1] = inputWord(frame, stack[sp - 1] as Word);
          break;
        case 0x36: // CALLDATASIZE
          stack[sp] = frame.input.length;
          sp += 1;
          break;
        case 0x38: // CODESIZE
          stack[sp] = code.length;
          sp += 1;
          break;
        case 0x3d: // RETURNDATASIZE
          stack[sp] = frame.returned.length;
          sp += 1;
          break;
        case 0x40: // BLOCKHASH
          stack[sp - 1] = blockHash(machine, stack[sp - 1] as Word);
          break;
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
          stack[sp] = contextValue(op, machine, frame);
          sp += 1;
          break;
        case 0x49: // BLOBHASH
          stack[sp - 1] = blobHash(machine, stack[sp - 1] as Word);
          break;
        case 0x58: // PC
          stack[sp] = positions[ip] as number;
          sp += 1;
          break;
        case 0x59: // MSIZE
          stack[sp] = memory.size;
          sp += 1;
          break;
        case 0x5a: // GAS
          stack[sp] = frame.reserve === 0n ? gas : toWord(BigInt(gas) + frame.reserve);
          sp += 1;
          break;
        case 0x5c: // TLOAD
          stack[sp - 1] = frame.account.transient?.get(stack[sp - 1] as Word) ?? 0;
          break;
        case 0x00: // STOP
          frame.gas = gas;
          machine.finish(frame, "success", EMPTY);
          continue frames;
        case 0xfe: // INVALID
          halt = "INVALID_OPERATION";
          break run;
        default: {
          // Memory within the current size costs nothing.
          if (!isCareful && op === OP.MLOAD) {
            const offset = stack[sp - 1] as Word;
            if (typeof offset === "number" && offset + WORD_BYTES <= memory.size) {
              stack[sp - 1] = readWord(memory.view, offset);
              break;
            }
          }
          if (!isCareful && op === OP.MSTORE) {
            const offset = stack[sp - 1] as Word;
            if (typeof offset === "number" && offset + WORD_BYTES <= memory.size) {
              sp -= 2;
              writeWord(memory.view, offset, stack[sp] as Word);
              break;
            }
          }
          frame.ip = ip;
          frame.sp = sp;
          frame.gas = gas;
          if (isNativeMissing(machine, frame, op)) {
            frame.isCareful = true;
            if (!isCareful) frame.gas += staticGas[op] as number;
            return false;
          }
          if (!isCareful) {
            if (!performPaid(op, machine, frame)) continue frames;
          } else {
            const cost = costOf(op, machine, frame, gas - (staticGas[op] as number));
            if (cost < 0) {
              halt = cost === TOO_LARGE ? "CODE_TOO_LARGE" : "ILLEGAL_STATE_CHANGE";
              break run;
            }
            if (isTraced) machine.reportStep(frame, cost === Number.POSITIVE_INFINITY ? 0 : cost);
            if (!frame.charge((staticGas[op] as number) + cost)) {
              halt = "INSUFFICIENT_GAS";
              break run;
            }
            // It cannot be paused here; the next region then starts with a pause.
            if (isWatched && frame.gas < frame.nextLook && look(machine, frame, frame.gas)) {
              frame.nextLook = AT_ONCE;
            }
            perform(op, machine, frame);
            if (machine.frame !== frame) continue frames;
          }
          ip = frame.ip;
          sp = frame.sp;
          gas = frame.gas;
          continue;
        }
      }
      ip += 1;
    }
    frame.ip = ip;
    frame.sp = sp;
    machine.halt(frame, halt);
  }
}

/** Whether a stack of some height is sufficient for a region, and has space for it. */
function fits(
  { regionNeeds, regionGrowth }: Program,
  head: number,
  most: number,
  height: number,
): boolean {
  return height >= (regionNeeds[head] as number) && height + (regionGrowth[head] as number) <= most;
}

/**
 * Runs compiled regions until the interpreter must continue. If functions mostly pass on to one another, which takes longer
 * than to interpret their regions, the program is interpreted from then on.
 */
function runCompiled(first: CompiledCode, machine: Machine, frame: Frame): void {
  const { gas } = frame;
  let run: CompiledCode | undefined = first;
  let passes = 0;
  while (run !== undefined && passes < PASSES_PER_CHECK) {
    run = run(frame, machine);
    passes += 1;
  }
  // If a function remains, the frame has not ended.
  if (run !== undefined && gas - frame.gas < passes * MIN_GAS_PER_PASS) {
    machine.forget(frame.program);
  }
}

/** Suspends a frame before a region until others have run. */
function pause(
  machine: Machine,
  at: {
    readonly ip: number;
    readonly sp: number;
    readonly gas: number;
    readonly isCareful: boolean;
  },
): void {
  Object.assign(machine.frame as Frame, at);
  machine.pending = machine.limit.pause();
}

/**
 * Whether a call must wait for its target to load. Only precompiles are loaded; they have small
 * addresses.
 */
function isNativeMissing(machine: Machine, { stack, sp }: Frame, op: number): boolean {
  if (op !== OP.CALL && op !== OP.STATICCALL && op !== OP.DELEGATECALL && op !== OP.CALLCODE) {
    return false;
  }
  const word = stack[sp - 2] as Word;
  if (typeof word !== "number") return false;
  machine.pending = machine.contracts.get(addressOfWord(word))?.load?.();
  return machine.pending !== undefined;
}
