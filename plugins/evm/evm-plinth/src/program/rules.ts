import { FORKS, type Fork, isAtLeast } from "@plinth/core/evm";
import { OP } from "./opcodes.js";

/** What an instruction takes from the stack, leaves there and costs; by byte. */
export interface InstructionTable {
  /** 1 where the fork has the instruction. */
  readonly exists: Uint8Array;
  readonly inputs: Uint8Array;
  readonly outputs: Uint8Array;
  /** What it costs whatever its operands are. */
  readonly staticGas: Int32Array;
  /** 1 where it may cost more, depending on its operands. */
  readonly isPriced: Uint8Array;
}

/** The rules of a fork, as the interpreter asks for them. */
export interface Rules extends InstructionTable {
  readonly fork: Fork;
  readonly has: Readonly<Record<Fork, boolean>>;
  /** What an account access costs before Berlin is part of the static gas. */
  readonly expByteGas: number;
  /** EIP-150: a call hands on at most 63/64 of what is left. */
  readonly keepsGas: boolean;
  readonly maxCodeBytes: number;
  /** Refunds are at most this part of the gas used (EIP-3529). */
  readonly refundQuotient: bigint;
  readonly selfdestructRefund: number;
}

/** EIP-170. */
const MAX_CODE_BYTES = 24_576;
/** EIP-2929. */
export const WARM_ACCESS_GAS = 100;
export const COLD_ACCOUNT_GAS = 2_600;
export const COLD_SLOT_GAS = 2_100;

type GasSince = Partial<Record<Fork, number>>;
type Row = readonly [
  byte: number,
  inputs: number,
  outputs: number,
  gas: number | GasSince,
  since?: Fork,
];

/** Berlin replaces these prices by those of an access, which depend on whether it is the first. */
const ACCESS: GasSince = { berlin: 0 };

const ROWS: readonly Row[] = [
  [OP.STOP, 0, 0, 0],
  [OP.ADD, 2, 1, 3],
  [OP.MUL, 2, 1, 5],
  [OP.SUB, 2, 1, 3],
  [OP.DIV, 2, 1, 5],
  [OP.SDIV, 2, 1, 5],
  [OP.MOD, 2, 1, 5],
  [OP.SMOD, 2, 1, 5],
  [OP.ADDMOD, 3, 1, 8],
  [OP.MULMOD, 3, 1, 8],
  [OP.EXP, 2, 1, 10],
  [OP.SIGNEXTEND, 2, 1, 5],
  ...range(OP.LT, OP.EQ).map((byte): Row => [byte, 2, 1, 3]),
  [OP.ISZERO, 1, 1, 3],
  ...range(OP.AND, OP.XOR).map((byte): Row => [byte, 2, 1, 3]),
  [OP.NOT, 1, 1, 3],
  [OP.BYTE, 2, 1, 3],
  ...range(OP.SHL, OP.SAR).map((byte): Row => [byte, 2, 1, 3, "constantinople"]),
  [OP.CLZ, 1, 1, 5, "osaka"],
  [OP.KECCAK256, 2, 1, 30],
  [OP.ADDRESS, 0, 1, 2],
  [OP.BALANCE, 1, 1, { frontier: 20, tangerineWhistle: 400, istanbul: 700, ...ACCESS }],
  [OP.ORIGIN, 0, 1, 2],
  [OP.CALLER, 0, 1, 2],
  [OP.CALLVALUE, 0, 1, 2],
  [OP.CALLDATALOAD, 1, 1, 3],
  [OP.CALLDATASIZE, 0, 1, 2],
  [OP.CALLDATACOPY, 3, 0, 3],
  [OP.CODESIZE, 0, 1, 2],
  [OP.CODECOPY, 3, 0, 3],
  [OP.GASPRICE, 0, 1, 2],
  [OP.EXTCODESIZE, 1, 1, { frontier: 20, tangerineWhistle: 700, ...ACCESS }],
  [OP.EXTCODECOPY, 4, 0, { frontier: 20, tangerineWhistle: 700, ...ACCESS }],
  [OP.RETURNDATASIZE, 0, 1, 2, "byzantium"],
  [OP.RETURNDATACOPY, 3, 0, 3, "byzantium"],
  [OP.EXTCODEHASH, 1, 1, { constantinople: 400, istanbul: 700, ...ACCESS }, "constantinople"],
  [OP.BLOCKHASH, 1, 1, 20],
  ...range(OP.COINBASE, OP.GASLIMIT).map((byte): Row => [byte, 0, 1, 2]),
  [OP.CHAINID, 0, 1, 2, "istanbul"],
  [OP.SELFBALANCE, 0, 1, 5, "istanbul"],
  [OP.BASEFEE, 0, 1, 2, "london"],
  [OP.BLOBHASH, 1, 1, 3, "cancun"],
  [OP.BLOBBASEFEE, 0, 1, 2, "cancun"],
  [OP.POP, 1, 0, 2],
  [OP.MLOAD, 1, 1, 3],
  [OP.MSTORE, 2, 0, 3],
  [OP.MSTORE8, 2, 0, 3],
  [OP.SLOAD, 1, 1, { frontier: 50, tangerineWhistle: 200, istanbul: 800, ...ACCESS }],
  [OP.SSTORE, 2, 0, 0],
  [OP.JUMP, 1, 0, 8],
  [OP.JUMPI, 2, 0, 10],
  [OP.PC, 0, 1, 2],
  [OP.MSIZE, 0, 1, 2],
  [OP.GAS, 0, 1, 2],
  [OP.JUMPDEST, 0, 0, 1],
  [OP.TLOAD, 1, 1, 100, "cancun"],
  [OP.TSTORE, 2, 0, 100, "cancun"],
  [OP.MCOPY, 3, 0, 3, "cancun"],
  [OP.PUSH0, 0, 1, 2, "shanghai"],
  ...range(OP.PUSH1, OP.PUSH32).map((byte): Row => [byte, 0, 1, 3]),
  ...range(1, 16).map((n): Row => [OP.DUP1 + n - 1, n, n + 1, 3]),
  ...range(1, 16).map((n): Row => [OP.SWAP1 + n - 1, n + 1, n + 1, 3]),
  ...range(0, 4).map((n): Row => [OP.LOG0 + n, n + 2, 0, 375 * (n + 1)]),
  [OP.CREATE, 3, 1, 32_000],
  [OP.CALL, 7, 1, { frontier: 40, tangerineWhistle: 700, ...ACCESS }],
  [OP.CALLCODE, 7, 1, { frontier: 40, tangerineWhistle: 700, ...ACCESS }],
  [OP.RETURN, 2, 0, 0],
  [OP.DELEGATECALL, 6, 1, { homestead: 40, tangerineWhistle: 700, ...ACCESS }, "homestead"],
  [OP.CREATE2, 4, 1, 32_000, "constantinople"],
  [OP.STATICCALL, 6, 1, { byzantium: 700, ...ACCESS }, "byzantium"],
  [OP.REVERT, 2, 0, 0, "byzantium"],
  [OP.SELFDESTRUCT, 1, 0, { frontier: 0, tangerineWhistle: 5_000 }],
];

/** Those whose operands decide what they cost, or whether they may run at all. */
const PRICED: readonly number[] = [
  OP.EXP,
  OP.KECCAK256,
  OP.BALANCE,
  OP.CALLDATACOPY,
  OP.CODECOPY,
  OP.EXTCODESIZE,
  OP.EXTCODECOPY,
  OP.RETURNDATACOPY,
  OP.EXTCODEHASH,
  OP.MLOAD,
  OP.MSTORE,
  OP.MSTORE8,
  OP.SLOAD,
  OP.SSTORE,
  OP.TSTORE,
  OP.MCOPY,
  ...range(OP.LOG0, OP.LOG4),
  OP.CREATE,
  OP.CALL,
  OP.CALLCODE,
  OP.RETURN,
  OP.DELEGATECALL,
  OP.CREATE2,
  OP.STATICCALL,
  OP.REVERT,
  OP.SELFDESTRUCT,
];

const known = new Map<Fork, Rules>();

/** The rules of a fork; made once. */
export function rulesOf(fork: Fork): Rules {
  let rules = known.get(fork);
  if (rules === undefined) {
    rules = createRules(fork);
    known.set(fork, rules);
  }
  return rules;
}

function createRules(fork: Fork): Rules {
  const has = Object.fromEntries(FORKS.map((other) => [other, isAtLeast(fork, other)]));
  return {
    fork,
    has: has as Record<Fork, boolean>,
    ...createTable(fork),
    expByteGas: isAtLeast(fork, "spuriousDragon") ? 50 : 10,
    keepsGas: isAtLeast(fork, "tangerineWhistle"),
    maxCodeBytes: isAtLeast(fork, "spuriousDragon") ? MAX_CODE_BYTES : Number.POSITIVE_INFINITY,
    refundQuotient: isAtLeast(fork, "london") ? 5n : 2n,
    selfdestructRefund: isAtLeast(fork, "london") ? 0 : 24_000,
  };
}

function createTable(fork: Fork): InstructionTable {
  const table = {
    exists: new Uint8Array(256),
    inputs: new Uint8Array(256),
    outputs: new Uint8Array(256),
    staticGas: new Int32Array(256),
    isPriced: new Uint8Array(256),
  };
  for (const [byte, inputs, outputs, gas, since = "frontier"] of ROWS) {
    if (!isAtLeast(fork, since)) continue;
    table.exists[byte] = 1;
    table.inputs[byte] = inputs;
    table.outputs[byte] = outputs;
    table.staticGas[byte] = typeof gas === "number" ? gas : gasAt(fork, gas);
    table.isPriced[byte] = PRICED.includes(byte) ? 1 : 0;
  }
  return table;
}

/** The latest price that is in force. */
function gasAt(fork: Fork, gas: GasSince): number {
  const since = FORKS.findLast((other) => isAtLeast(fork, other) && gas[other] !== undefined);
  return since === undefined ? 0 : (gas[since] ?? 0);
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
