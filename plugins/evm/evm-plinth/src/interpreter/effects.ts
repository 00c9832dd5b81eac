import { type Address, type Hash, hexToBytes, keccak256, toHex } from "@plinth/core";
import { ReadOnlyAccount } from "@plinth/core/evm";
import { exp } from "../arithmetic/arithmetic.js";
import {
  addressOfWord,
  bytesOfWord,
  hashOfWord,
  readWord,
  toWord,
  WORD_BYTES,
  type Word,
  wordOfHex,
  writeWord,
} from "../arithmetic/words.js";
import { INSTRUCTIONS } from "../instructions/index.js";
import { hashInPieces } from "../long-keccak.js";
import { OP } from "../program/opcodes.js";
import { hashPair, hashToWord, PAIR_BYTES } from "../word-hashes.js";
import { type Frame, splitGas } from "./frame.js";
import { type CallStart, isEmpty, type Machine } from "./machine.js";
import { transferLog } from "./transfer-log.js";

/** The stipend for the code of a receiver. */
const STIPEND = 2_300;
/** EIP-150: the caller retains one part in this many. */
const KEPT_PART = 64;
const MAX_DEPTH = 1024;
/** EIP-2681. */
const MAX_NONCE = 2n ** 64n - 1n;
const EMPTY = new Uint8Array();
/** The marker of EIP-1014. */
const CREATE2_MARKER = 0xff;

/**
 * Executes an instruction with a dynamic cost, after it was paid.
 *
 * It pops its operands and advances the frame to the next operation; calls start, and the frame may end.
 */
export function perform(op: number, machine: Machine, frame: Frame): void {
  const { stack, memory } = frame;
  frame.ip += 1;
  switch (op) {
    case 0x54: {
      // SLOAD
      const { substate, state } = machine;
      const slot = substate.slot(frame.account, stack[frame.sp - 1] as Word);
      const value = state.getStorage(frame.address, slot.hash);
      slot.original ??= value;
      stack[frame.sp - 1] = toWord(value);
      return;
    }
    case 0x55: {
      // SSTORE
      const { hash } = machine.substate.slot(frame.account, stack[frame.sp - 1] as Word);
      const value = BigInt(stack[frame.sp - 2] as Word);
      frame.sp -= 2;
      machine.state.setStorage(frame.address, hash, value);
      return;
    }
    case 0x51: {
      // MLOAD
      const offset = stack[frame.sp - 1] as number;
      memory.reach(offset, WORD_BYTES);
      stack[frame.sp - 1] = readWord(memory.view, offset);
      return;
    }
    case 0x52: {
      // MSTORE
      const offset = stack[frame.sp - 1] as number;
      memory.reach(offset, WORD_BYTES);
      writeWord(memory.view, offset, stack[frame.sp - 2] as Word);
      frame.sp -= 2;
      return;
    }
    case 0x53: {
      // MSTORE8
      const offset = stack[frame.sp - 1] as number;
      memory.reach(offset, 1);
      memory.bytes[offset] = lowestByte(stack[frame.sp - 2] as Word);
      frame.sp -= 2;
      return;
    }
    case 0x20: {
      // KECCAK256
      const offset = stack[frame.sp - 1] as Word;
      const length = stack[frame.sp - 2] as Word;
      memory.reach(offset, length);
      if ((length as number) > LONG_BYTES) machine.limit.verify();
      frame.sp -= 1;
      stack[frame.sp - 1] =
        length === PAIR_BYTES
          ? hashPair(memory.view, offset as number)
          : hashToWord(memory.range(offset, length), machine.limit.verify);
      return;
    }
    case 0x0a: // EXP
      frame.sp -= 1;
      stack[frame.sp - 1] = exp(stack[frame.sp] as Word, stack[frame.sp - 1] as Word);
      return;
    case 0x37: // CALLDATACOPY
      copyIn(machine, frame, frame.input);
      return;
    case 0x39: // CODECOPY
      copyIn(machine, frame, frame.program.code);
      return;
    case 0x3e: // RETURNDATACOPY
      copyIn(machine, frame, frame.returned);
      return;
    case 0x3c: {
      // EXTCODECOPY
      const code = machine.state.getCode(addressOfWord(stack[frame.sp - 1] as Word));
      frame.sp -= 1;
      copyIn(machine, frame, code);
      return;
    }
    case 0x5e: {
      // MCOPY
      const { sp } = frame;
      const [target, source, length] = [stack[sp - 1], stack[sp - 2], stack[sp - 3]] as Word[];
      frame.sp -= 3;
      if (length === 0) return;
      memory.reach(target as Word, length as Word);
      memory.reach(source as Word, length as Word);
      if ((length as number) > LONG_BYTES) machine.limit.verify();
      const from = source as number;
      memory.bytes.copyWithin(target as number, from, from + (length as number));
      return;
    }
    case 0x31: // BALANCE
      stack[frame.sp - 1] = toWord(machine.balanceOf(addressOfWord(stack[frame.sp - 1] as Word)));
      return;
    case 0x3b: {
      // EXTCODESIZE
      const address = addressOfWord(stack[frame.sp - 1] as Word);
      stack[frame.sp - 1] = machine.state.getCode(address).length;
      return;
    }
    case 0x3f: // EXTCODEHASH
      stack[frame.sp - 1] = codeHashOf(machine, addressOfWord(stack[frame.sp - 1] as Word));
      return;
    case 0x5d: // TSTORE
      machine.substate.setTransient(
        frame.account,
        stack[frame.sp - 1] as Word,
        stack[frame.sp - 2] as Word,
      );
      frame.sp -= 2;
      return;
    case 0xa0: // LOG0
    case 0xa1: // LOG1
    case 0xa2: // LOG2
    case 0xa3: // LOG3
    case 0xa4: // LOG4
      writeLog(machine, frame, op - OP.LOG0);
      return;
    case 0xf3: // RETURN
    case 0xfd: {
      // REVERT
      const offset = stack[frame.sp - 1] as Word;
      const length = stack[frame.sp - 2] as Word;
      memory.reach(offset, length);
      frame.sp -= 2;
      const outcome = op === OP.RETURN ? "success" : "reverted";
      machine.finish(frame, outcome, memory.copy(offset, length));
      return;
    }
    case 0xf0: // CREATE
    case 0xf5: // CREATE2
      create(op, machine, frame);
      return;
    case 0xf1: // CALL
    case 0xf2: // CALLCODE
    case 0xf4: // DELEGATECALL
    case 0xfa: // STATICCALL
      call(op, machine, frame);
      return;
    case 0xff: // SELFDESTRUCT
      selfdestruct(machine, frame);
      return;
    default:
      performOwn(op, machine, frame);
  }
}

function performOwn(op: number, machine: Machine, frame: Frame): void {
  const instruction = INSTRUCTIONS.get(op);
  if (instruction === undefined) throw new Error(`instruction ${op} is not implemented`);
  instruction.perform(machine, frame);
}

/** A copy or hash of more bytes warrants reading the clock. */
const LONG_BYTES = 65_536;

function lowestByte(word: Word): number {
  return typeof word === "number" ? word % 256 : Number(word & 255n);
}

/** The three copies of the form: target, start, length. */
function copyIn(machine: Machine, frame: Frame, source: Uint8Array): void {
  const { stack, sp, memory } = frame;
  const offset = stack[sp - 1] as Word;
  const start = stack[sp - 2] as Word;
  const length = stack[sp - 3] as Word;
  frame.sp -= 3;
  memory.reach(offset, length);
  if ((length as number) > LONG_BYTES) machine.limit.verify();
  memory.write(offset, { source, start, length });
}

function codeHashOf({ state }: Machine, address: Address): Word {
  const account = state.findAccount(address);
  return account === undefined || isEmpty(account) ? 0 : wordOfHex(account.codeHash);
}

function writeLog({ substate, budget }: Machine, frame: Frame, count: number): void {
  const { stack, sp, memory } = frame;
  const offset = stack[sp - 1] as Word;
  const length = stack[sp - 2] as Word;
  memory.reach(offset, length);
  budget.take(length as number);
  const topics: Hash[] = [];
  for (let index = 0; index < count; index += 1) {
    topics.push(hashOfWord(stack[sp - 3 - index] as Word));
  }
  frame.sp -= 2 + count;
  substate.log({ address: frame.address, topics, data: memory.copy(offset, length) });
}

/** The gas passed to a call or creation; it is deducted from the frame. */
function handOver(machine: Machine, frame: Frame, wanted: Word | undefined) {
  const { keepsGas } = machine.rules;
  if (frame.reserve === 0n) {
    const { gas } = frame;
    const most = keepsGas ? gas - Math.floor(gas / KEPT_PART) : gas;
    const given = wanted === undefined || wanted > most ? most : (wanted as number);
    frame.gas -= given;
    return { gas: given, reserve: 0n };
  }
  const total = frame.gasLeft;
  const most = keepsGas ? total - total / BigInt(KEPT_PART) : total;
  const given = wanted === undefined || wanted > most ? most : BigInt(wanted);
  const left = splitGas(total - given);
  frame.gas = left.gas;
  frame.reserve = left.reserve;
  return splitGas(given);
}

function call(op: number, machine: Machine, frame: Frame): void {
  const { stack, memory, sp } = frame;
  const hasValue = op === OP.CALL || op === OP.CALLCODE;
  const value = hasValue ? (stack[sp - 3] as Word) : 0;
  const first = hasValue ? sp - 4 : sp - 3;
  const inOffset = stack[first] as Word;
  const inLength = stack[first - 1] as Word;
  const outOffset = stack[first - 2] as Word;
  const outLength = stack[first - 3] as Word;
  const wanted = stack[sp - 1] as Word;
  const address = addressOfWord(stack[sp - 2] as Word);
  frame.sp = first - 3;
  memory.reach(inOffset, inLength);
  memory.reach(outOffset, outLength);
  const given = handOver(machine, frame, wanted);
  const gas = value === 0 ? given.gas : given.gas + STIPEND;
  frame.returned = EMPTY;
  const isTooDeep = frame.depth > MAX_DEPTH;
  if (isTooDeep || (value !== 0 && machine.balanceOf(frame.address) < BigInt(value))) {
    frame.refundGas(gas, given.reserve);
    stack[frame.sp] = 0;
    frame.sp += 1;
    return;
  }
  const isOwn = op === OP.CALLCODE || op === OP.DELEGATECALL;
  machine.enterCall({
    kind: kindOf(op),
    depth: frame.depth + 1,
    caller: op === OP.DELEGATECALL ? frame.caller : frame.address,
    to: isOwn ? frame.address : address,
    codeAddress: address,
    value: op === OP.DELEGATECALL ? frame.value : BigInt(value),
    input: memory.range(inOffset, inLength),
    isStatic: frame.isStatic || op === OP.STATICCALL,
    gas,
    reserve: given.reserve,
    outOffset,
    outLength,
  });
}

function kindOf(op: number): CallStart["kind"] {
  if (op === OP.CALL) return "call";
  if (op === OP.CALLCODE) return "callcode";
  return op === OP.DELEGATECALL ? "delegatecall" : "staticcall";
}

function create(op: number, machine: Machine, frame: Frame): void {
  const { stack, sp, memory } = frame;
  const isSalted = op === OP.CREATE2;
  const value = BigInt(stack[sp - 1] as Word);
  const [offset, length] = [stack[sp - 2] as Word, stack[sp - 3] as Word];
  const salt = isSalted ? (stack[sp - 4] as Word) : 0;
  frame.sp -= isSalted ? 4 : 3;
  memory.reach(offset, length);
  const given = handOver(machine, frame, undefined);
  frame.returned = EMPTY;
  const creator = frame.address;
  const account = machine.state.findAccount(creator);
  const nonce = account?.nonce ?? 0n;
  if (frame.depth > MAX_DEPTH || (account?.balance ?? 0n) < value || nonce >= MAX_NONCE) {
    frame.refundGas(given.gas, given.reserve);
    stack[frame.sp] = 0;
    frame.sp += 1;
    return;
  }
  machine.state.setAccount(creator, { nonce: nonce + 1n });
  const initCode = memory.range(offset, length);
  machine.enterCreation({
    kind: isSalted ? "create2" : "create",
    depth: frame.depth + 1,
    caller: creator,
    address: isSalted
      ? saltedAddress(creator, salt, hashInPieces(initCode, machine.limit.verify))
      : machine.nextAddress(creator, nonce),
    value,
    initCode,
    gas: given.gas,
    reserve: given.reserve,
  });
}

/** EIP-1014. */
function saltedAddress(creator: Address, salt: Word, hash: Uint8Array): Address {
  const preimage = Buffer.concat([
    Uint8Array.of(CREATE2_MARKER),
    hexToBytes(creator),
    bytesOfWord(salt),
    hash,
  ]);
  return toHex(keccak256(preimage).slice(-20));
}

function selfdestruct(machine: Machine, frame: Frame): void {
  const { state, substate, rules, recordsTransfers } = machine;
  const { address } = frame;
  const heir = addressOfWord(frame.stack[frame.sp - 1] as Word);
  frame.sp -= 1;
  if (state.isReadOnly?.(heir) === true) throw new ReadOnlyAccount(heir);
  const balance = machine.balanceOf(address);
  if (recordsTransfers && balance > 0n) substate.log(transferLog(address, heir, balance), true);
  const isRemoved = !rules.selfdestructKeepsCode || substate.created.has(address);
  if (heir !== address) {
    state.setAccount(heir, { balance: machine.balanceOf(heir) + balance });
    if (rules.removesEmptyAccounts) substate.touch(heir);
  }
  if (isRemoved || heir !== address) state.setAccount(address, { balance: 0n });
  if (isRemoved && !substate.destroy(address)) substate.refund += rules.selfdestructRefund;
  machine.finish(frame, "success", EMPTY);
}
