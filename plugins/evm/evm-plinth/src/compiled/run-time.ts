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
import { readWord, toWord, type Word, writeWord } from "../arithmetic/words.js";
import { blobHash, blockHash, contextValue } from "../interpreter/context-value.js";
import type { Frame } from "../interpreter/frame.js";
import { inputWord } from "../interpreter/input-word.js";
import { performPaid } from "../interpreter/perform-paid.js";
import { hashPair } from "../word-hashes.js";

/** Everything that generated code calls. */
export const RUN_TIME = {
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
  readWord,
  writeWord,
  toWord,
  contextValue,
  blockHash,
  blobHash,
  inputWord,
  performPaid,
  hashPair,
  less,
  leave,
} as const;

/** The names above, as generated code destructures them. */
export const RUN_TIME_NAMES = Object.keys(RUN_TIME).join(", ");

function less(a: Word, b: Word): boolean {
  return a < b;
}

/** Generated code ends here; the interpreter continues with an operation. */
function leave(frame: Frame, ip: number, sp: number, gas: number): void {
  frame.ip = ip;
  frame.sp = sp;
  frame.gas = gas;
}
