import type { Address } from "@plinth/core";
import type { FrameKind } from "@plinth/core/evm";
import { type Word, wordOfHex } from "../arithmetic/words.js";
import { analyse, type Program } from "../program/program.js";
import { machineRulesOf } from "../program/rules.js";
import type { AccountAccess, Snapshot } from "../substate.js";
import { Memory } from "./memory.js";
import type { MemoryBudget } from "./memory-budget.js";

const EMPTY = new Uint8Array();
const FIRST_STACK = 1024;
const NO_PROGRAM = analyse(EMPTY, machineRulesOf("frontier"));

/** Parameters of a frame. */
export interface FrameStart {
  readonly kind: FrameKind;
  readonly depth: number;
  readonly caller: Address;
  /** The account whose storage is used. */
  readonly account: AccountAccess;
  readonly value: bigint;
  readonly input: Uint8Array;
  readonly isStatic: boolean;
  readonly program: Program;
  readonly gas: number;
  readonly reserve: bigint;
  readonly snapshot: Snapshot;
  readonly budget: MemoryBudget;
  /** Where the caller wants the output. */
  readonly outOffset: Word;
  readonly outLength: Word;
}

/**
 * A call or a creation in progress. Frames are objects in a list, not nested JavaScript calls, so that their depth is
 * limited only by the rules.
 *
 * One object serves all frames of a depth, one after the other, with its stack and memory.
 */
export class Frame {
  /** Items from 0 to `sp - 1`; those above are stale. */
  readonly stack: Word[] = new Array<Word>(FIRST_STACK).fill(0n);
  readonly memory = new Memory();
  kind: FrameKind = "call";
  depth = 1;
  caller: Address = "0x";
  address: Address = "0x";
  account!: AccountAccess;
  value = 0n;
  input: Uint8Array = EMPTY;
  isStatic = false;
  program = NO_PROGRAM;
  /** The next operation. */
  ip = 0;
  sp = 0;
  /** Remaining gas as far as it fits into a number; the rest is in reserve. */
  gas = 0;
  reserve = 0n;
  /** The total gas of the frame. */
  gasLimit = 0;
  reserveLimit = 0n;
  /** The clock is read again when less gas than this is left. */
  nextLook = 0;
  /** Whether operations are checked and charged one by one. */
  isCareful = false;
  /** Return data of the last call. */
  returned: Uint8Array = EMPTY;
  snapshot!: Snapshot;
  outOffset: Word = 0;
  outLength: Word = 0;
  #inputView: DataView | undefined;
  #addressWord: Word | undefined;
  #callerWord: Word | undefined;

  start(start: FrameStart): void {
    this.kind = start.kind;
    this.depth = start.depth;
    this.caller = start.caller;
    this.account = start.account;
    this.address = start.account.address;
    this.value = start.value;
    this.input = start.input;
    this.#inputView = undefined;
    this.#addressWord = undefined;
    this.#callerWord = undefined;
    this.isStatic = start.isStatic;
    this.program = start.program;
    this.ip = 0;
    this.sp = 0;
    this.gas = start.gas;
    this.reserve = start.reserve;
    this.gasLimit = start.gas;
    this.reserveLimit = start.reserve;
    this.nextLook = start.gas - GAS_PER_LOOK;
    this.isCareful = false;
    this.returned = EMPTY;
    this.snapshot = start.snapshot;
    this.outOffset = start.outOffset;
    this.outLength = start.outLength;
    this.memory.begin(start.budget);
  }

  /** Releases everything, so that a large run leaves nothing behind. */
  end(): void {
    this.memory.end();
    // If a chain allows more items, their memory is not kept.
    if (this.stack.length > FIRST_STACK) this.stack.length = FIRST_STACK;
    this.input = EMPTY;
    this.#inputView = undefined;
    this.returned = EMPTY;
    this.program = NO_PROGRAM;
  }

  /** For words of the input. */
  get inputView(): DataView {
    const { buffer, byteOffset, byteLength } = this.input;
    this.#inputView ??= new DataView(buffer, byteOffset, byteLength);
    return this.#inputView;
  }

  get isCreation(): boolean {
    return this.kind === "create" || this.kind === "create2";
  }

  get gasLeft(): bigint {
    return BigInt(this.gas) + this.reserve;
  }

  get gasGiven(): bigint {
    return BigInt(this.gasLimit) + this.reserveLimit;
  }

  get addressWord(): Word {
    this.#addressWord ??= wordOfHex(this.address);
    return this.#addressWord;
  }

  get callerWord(): Word {
    this.#callerWord ??= wordOfHex(this.caller);
    return this.#callerWord;
  }

  /**
   * Consumes gas; what exceeds the number comes from the reserve. Returns whether there was enough.
   */
  charge(cost: number): boolean {
    if (cost > this.gas && this.reserve > 0n) this.#refill(cost);
    if (cost > this.gas) return false;
    this.gas -= cost;
    return true;
  }

  /** Refills the number from the reserve. */
  #refill(cost: number): void {
    const most = BigInt(MAX_COUNTED) - BigInt(this.gas);
    const part = this.reserve < most ? this.reserve : most;
    if (cost > MAX_COUNTED) return;
    this.gas += Number(part);
    this.reserve -= part;
    this.nextLook = AT_ONCE;
  }

  /** Adds unused gas back. */
  refundGas(gas: number, reserve: bigint): void {
    this.gas += gas;
    this.reserve += reserve;
    if (this.gas <= MAX_COUNTED) return;
    this.reserve += BigInt(this.gas - MAX_COUNTED);
    this.gas = MAX_COUNTED;
    this.nextLook = AT_ONCE;
  }
}

/** Gas that code uses before the clock is read again: usually about fifty microseconds. */
export const GAS_PER_LOOK = 10_000;

/** Forces a clock read: gas refilled from the reserve does not show how much was used. */
export const AT_ONCE = Number.POSITIVE_INFINITY;

/** Maximum gas in a number; sums of two of them are exact. */
export const MAX_COUNTED = 2 ** 52;

/** An amount of gas as frames count it. */
export function splitGas(total: bigint): { readonly gas: number; readonly reserve: bigint } {
  if (total <= BigInt(MAX_COUNTED)) return { gas: Number(total), reserve: 0n };
  return { gas: MAX_COUNTED, reserve: total - BigInt(MAX_COUNTED) };
}
