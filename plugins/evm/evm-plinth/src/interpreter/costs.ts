import { byteLength } from "../arithmetic/arithmetic.js";
import { addressOfWord, WORD_BYTES, type Word } from "../arithmetic/words.js";
import { INSTRUCTIONS } from "../instructions/index.js";
import { OP } from "../program/opcodes.js";
import { COLD_ACCOUNT_GAS, COLD_SLOT_GAS, WARM_ACCESS_GAS } from "../program/rules.js";
import type { Frame } from "./frame.js";
import type { Machine } from "./machine.js";
import { storageGas } from "./storage-gas.js";

/** More than any gas. */
const TOO_MUCH = Number.POSITIVE_INFINITY;
/**
 * Result of `costOf` for an instruction that is not allowed: it changes the state in a static call.
 */
export const FORBIDDEN = -1;
/** Result of `costOf` for init code that is too long. */
export const TOO_LARGE = -2;

const COPY_GAS_PER_WORD = 3;
const HASH_GAS_PER_WORD = 6;
const LOG_GAS_PER_BYTE = 8;
const VALUE_GAS = 9_000;
const NEW_ACCOUNT_GAS = 25_000;

/**
 * The dynamic cost of an instruction, beyond its static gas; the operands stay on the stack.
 *
 * Accounts and slots become warm here, and refunds for storage are counted. `gas` is the remaining gas.
 */
export function costOf(op: number, machine: Machine, frame: Frame, gas: number): number {
  const { stack, sp, memory } = frame;
  const top = stack[sp - 1] as Word;
  switch (op) {
    case 0x54: // SLOAD
      return slotCost(machine, frame, top);
    case 0x55: // SSTORE
      return storeCost(machine, frame, gas);
    case 0x51: // MLOAD
    case 0x52: // MSTORE
      return memory.costOf(top, WORD_BYTES);
    case 0x53: // MSTORE8
      return memory.costOf(top, 1);
    case 0x20: {
      // KECCAK256
      const length = stack[sp - 2] as Word;
      return memory.costOf(top, length) + HASH_GAS_PER_WORD * wordsOf(length);
    }
    case 0x0a: // EXP
      return machine.rules.expByteGas * byteLength(stack[sp - 2] as Word);
    case 0x37: // CALLDATACOPY
    case 0x39: // CODECOPY
      return copyCost(frame, top, stack[sp - 3] as Word);
    case 0x3e: {
      // RETURNDATACOPY
      const [start, length] = [stack[sp - 2] as Word, stack[sp - 3] as Word];
      if (!isWithin(start, length, frame.returned.length)) return TOO_MUCH;
      return copyCost(frame, top, length);
    }
    case 0x5e: {
      // MCOPY
      const [source, length] = [stack[sp - 2] as Word, stack[sp - 3] as Word];
      return (
        Math.max(memory.costOf(source, length), memory.costOf(top, length)) + copyWords(length)
      );
    }
    case 0x3c: {
      // EXTCODECOPY
      const length = stack[sp - 4] as Word;
      return accountCost(machine, top) + copyCost(frame, stack[sp - 2] as Word, length);
    }
    case 0x31: // BALANCE
    case 0x3b: // EXTCODESIZE
    case 0x3f: // EXTCODEHASH
      return accountCost(machine, top);
    case 0x5d: // TSTORE
      return frame.isStatic ? FORBIDDEN : 0;
    case 0xa0: // LOG0
    case 0xa1: // LOG1
    case 0xa2: // LOG2
    case 0xa3: // LOG3
    case 0xa4: {
      // LOG4
      if (frame.isStatic) return FORBIDDEN;
      const length = stack[sp - 2] as Word;
      return memory.costOf(top, length) + LOG_GAS_PER_BYTE * Number(length);
    }
    case 0xf3: // RETURN
    case 0xfd: // REVERT
      return memory.costOf(top, stack[sp - 2] as Word);
    case 0xf0: // CREATE
    case 0xf5: // CREATE2
      return creationCost(op, machine, frame);
    case 0xf1: // CALL
    case 0xf2: // CALLCODE
    case 0xf4: // DELEGATECALL
    case 0xfa: // STATICCALL
      return callCost(op, machine, frame, gas);
    case 0xff: // SELFDESTRUCT
      return selfdestructCost(machine, frame);
    default:
      return INSTRUCTIONS.get(op)?.costOf?.(machine, frame) ?? 0;
  }
}

function wordsOf(length: Word): number {
  return Math.ceil(Number(length) / WORD_BYTES);
}

function copyWords(length: Word): number {
  return COPY_GAS_PER_WORD * wordsOf(length);
}

function copyCost({ memory }: Frame, offset: Word, length: Word): number {
  return memory.costOf(offset, length) + copyWords(length);
}

function isWithin(start: Word, length: Word, size: number): boolean {
  if (typeof start !== "number" || typeof length !== "number") return false;
  return start + length <= size;
}

/** EIP-2929; before it, an access is part of the static gas. */
function accountCost(machine: Machine, word: Word): number {
  if (!machine.rules.hasColdAccess) return 0;
  return accessCost(machine, addressOfWord(word));
}

function accessCost({ rules, substate }: Machine, address: `0x${string}`): number {
  if (!rules.hasColdAccess) return 0;
  return substate.warm(substate.access(address)) ? WARM_ACCESS_GAS : COLD_ACCOUNT_GAS;
}

function slotCost({ rules, substate }: Machine, { account }: Frame, key: Word): number {
  if (!rules.hasColdAccess) return 0;
  const slot = substate.slot(account, key);
  return substate.warmSlot(account, slot) ? WARM_ACCESS_GAS : COLD_SLOT_GAS;
}

function storeCost(machine: Machine, frame: Frame, gas: number): number {
  if (frame.isStatic) return FORBIDDEN;
  const { rules, substate, state } = machine;
  if (rules.storeReserve > 0 && gas <= rules.storeReserve && frame.reserve === 0n) return TOO_MUCH;
  const { stack, sp, account } = frame;
  const slot = substate.slot(account, stack[sp - 1] as Word);
  const current = state.getStorage(account.address, slot.hash);
  slot.original ??= current;
  const next = BigInt(stack[sp - 2] as Word);
  const { gas: cost, refund } = storageGas(rules, { original: slot.original, current, next });
  substate.refund += refund;
  if (!rules.hasColdAccess || substate.warmSlot(account, slot)) return cost;
  return cost + COLD_SLOT_GAS;
}

function creationCost(op: number, { rules }: Machine, frame: Frame): number {
  if (frame.isStatic) return FORBIDDEN;
  const { stack, sp, memory } = frame;
  const length = stack[sp - 3] as Word;
  const words = wordsOf(length);
  const hashing = op === OP.CREATE2 ? HASH_GAS_PER_WORD * words : 0;
  const initCode = rules.initCodeWordGas * words;
  const cost = memory.costOf(stack[sp - 2] as Word, length) + hashing + initCode;
  if (length > rules.maxInitCodeBytes) return TOO_LARGE;
  return cost;
}

function callCost(op: number, machine: Machine, frame: Frame, gas: number): number {
  const { stack, sp, memory } = frame;
  const { rules, state } = machine;
  const hasValue = op === OP.CALL || op === OP.CALLCODE;
  const value = hasValue ? (stack[sp - 3] as Word) : 0;
  if (op === OP.CALL && value !== 0 && frame.isStatic) return FORBIDDEN;
  const first = hasValue ? sp - 4 : sp - 3;
  let cost = Math.max(
    memory.costOf(stack[first] as Word, stack[first - 1] as Word),
    memory.costOf(stack[first - 2] as Word, stack[first - 3] as Word),
  );
  // Nothing is loaded for what cannot be paid.
  if (cost > gas && frame.reserve === 0n) return cost;
  const address = addressOfWord(stack[sp - 2] as Word);
  cost += accessCost(machine, address);
  if (value !== 0) cost += VALUE_GAS;
  if (op === OP.CALL && (value !== 0 || !rules.removesEmptyAccounts)) {
    if (machine.isDead(state.findAccount(address))) cost += NEW_ACCOUNT_GAS;
  }
  const delegate = machine.findDelegate(address);
  if (delegate !== undefined) cost += accessCost(machine, delegate);
  // Before EIP-150 a call that requested more gas than available did not start.
  if (!rules.keepsGas && frame.reserve === 0n && (stack[sp - 1] as Word) > gas - cost) {
    return TOO_MUCH;
  }
  return cost;
}

function selfdestructCost(machine: Machine, frame: Frame): number {
  if (frame.isStatic) return FORBIDDEN;
  const { rules, state, substate } = machine;
  const heir = addressOfWord(frame.stack[frame.sp - 1] as Word);
  let cost = 0;
  if (rules.hasColdAccess && !substate.warm(substate.access(heir))) cost += COLD_ACCOUNT_GAS;
  if (rules.selfdestructPaysHeir && machine.isDead(state.findAccount(heir))) {
    if (!rules.removesEmptyAccounts || machine.balanceOf(frame.address) > 0n)
      cost += NEW_ACCOUNT_GAS;
  }
  return cost;
}
