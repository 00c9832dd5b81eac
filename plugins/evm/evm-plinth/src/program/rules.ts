import { type Fork, type RuleSet, rulesOf } from "@plinth/core/evm";
import { OP } from "./opcodes.js";

/** Stack effect and cost of an instruction, by opcode. */
export interface InstructionTable {
  /** 1 if the fork has the instruction. */
  readonly exists: Uint8Array;
  readonly inputs: Uint8Array;
  readonly outputs: Uint8Array;
  /** Its static cost. */
  readonly staticGas: Int32Array;
  /** 1 if it has a dynamic cost. */
  readonly isPriced: Uint8Array;
}

/** The rules of a fork, for the interpreter. */
export interface Rules extends RuleSet, InstructionTable {}

/** EIP-2929. */
export const WARM_ACCESS_GAS = 100;
export const COLD_ACCOUNT_GAS = 2_600;
export const COLD_SLOT_GAS = 2_100;

/** Instructions that the interpreter loop handles itself; all others may have a dynamic cost. */
const IN_LOOP: ReadonlySet<number> = new Set([
  ...range(OP.STOP, OP.MULMOD),
  OP.SIGNEXTEND,
  ...range(OP.LT, OP.SAR),
  OP.ADDRESS,
  ...range(OP.ORIGIN, OP.CALLDATASIZE),
  OP.CODESIZE,
  OP.GASPRICE,
  OP.RETURNDATASIZE,
  ...range(OP.BLOCKHASH, OP.BLOBBASEFEE),
  OP.POP,
  ...range(OP.JUMP, OP.TLOAD),
  ...range(OP.PUSH0, OP.PUSH32),
  ...range(OP.DUP1, OP.DUP1 + 15),
  ...range(OP.SWAP1, OP.SWAP1 + 15),
]);

const known = new Map<Fork, Rules>();

/** The rules of a fork with their instructions by opcode; created once. */
export function machineRulesOf(fork: Fork): Rules {
  let rules = known.get(fork);
  if (rules === undefined) {
    rules = { ...rulesOf(fork), ...createTable(rulesOf(fork)) };
    known.set(fork, rules);
  }
  return rules;
}

function createTable({ opcodes }: RuleSet): InstructionTable {
  const table = {
    exists: new Uint8Array(256),
    inputs: new Uint8Array(256),
    outputs: new Uint8Array(256),
    staticGas: new Int32Array(256),
    isPriced: new Uint8Array(256),
  };
  for (const [byte, inputs, outputs, gas] of Object.values(opcodes)) {
    table.exists[byte] = 1;
    table.inputs[byte] = inputs;
    table.outputs[byte] = outputs;
    table.staticGas[byte] = gas;
    table.isPriced[byte] = IN_LOOP.has(byte) ? 0 : 1;
  }
  return table;
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
