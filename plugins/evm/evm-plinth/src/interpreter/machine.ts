import type { Address, Hash } from "@plinth/core";
import { AccountOverflow, contractAddress } from "@plinth/core/blocks";
import {
  type Account,
  type BlockContext,
  EMPTY_CODE_HASH,
  type EvmOutcome,
  type FrameKind,
  ReadOnlyAccount,
  type Tracer,
  type WorldState,
} from "@plinth/core/evm";
import { type Word, wordOfHex } from "../arithmetic/words.js";
import { delegateOf } from "../delegation.js";
import type { NativeContract, NativeContracts, NativeResult } from "../native-contracts.js";
import type { Compiler } from "../program/compiler.js";
import { OP } from "../program/opcodes.js";
import { analyse, type CompiledCode, type Program } from "../program/program.js";
import type { Programs } from "../program/programs.js";
import type { Rules } from "../program/rules.js";
import type { Snapshot, Substate } from "../substate.js";
import type { TimeLimit } from "../time-limit.js";
import { Frame, splitGas } from "./frame.js";
import type { Halt } from "./halt.js";
import { MemoryBudget } from "./memory-budget.js";
import { lastingStep, reportBriefly } from "./step.js";
import { transferLog } from "./transfer-log.js";

/** The context shared by all frames of a run. */
export interface MachineSettings {
  readonly rules: Rules;
  /** Of every frame. */
  readonly maxStackItems: number;
  readonly chainId: bigint;
  readonly block: BlockContext;
  readonly state: WorldState;
  readonly substate: Substate;
  readonly contracts: NativeContracts;
  readonly programs: Programs;
  readonly frames: Frame[];
  readonly limit: TimeLimit;
  readonly compiler: Compiler | undefined;
  readonly origin: Address;
  readonly gasPrice: bigint;
  readonly blobHashes: readonly Hash[];
  readonly tracer?: Tracer | undefined;
  readonly recordsTransfers?: boolean;
  /** Whether missing accounts that are called become empty ones, which stay. */
  readonly keepsEmpty?: boolean;
}

/** How a frame ends. */
export interface Ending {
  readonly outcome: EvmOutcome;
  readonly halt?: Halt;
  readonly output: Uint8Array;
}

/** The outcome of the first frame. */
export interface MachineResult extends Ending {
  readonly gasUsed: bigint;
  readonly createdAddress?: Address;
  /** The invalid instruction, and its position. */
  readonly invalid?: { readonly byte: number; readonly address: Address };
}

/** A call that is about to start. */
export interface CallStart {
  readonly kind: Exclude<FrameKind, "create" | "create2">;
  readonly depth: number;
  readonly caller: Address;
  readonly to: Address;
  readonly codeAddress: Address;
  /** The value that the code sees; transferred only by a call. */
  readonly value: bigint;
  /** May be a view of the caller's memory. */
  readonly input: Uint8Array;
  readonly isStatic: boolean;
  readonly gas: number;
  readonly reserve: bigint;
  readonly outOffset: Word;
  readonly outLength: Word;
}

/** A creation that is about to start. */
export interface CreationStart {
  readonly kind: "create" | "create2";
  readonly depth: number;
  readonly caller: Address;
  readonly address: Address;
  readonly value: bigint;
  /** May be a view of the caller's memory. */
  readonly initCode: Uint8Array;
  readonly gas: number;
  readonly reserve: bigint;
}

/** The outcome of a call or creation without a frame, and its remaining gas. */
interface EarlyEnding extends Ending {
  readonly gas: number;
  readonly reserve: bigint;
}

/** What is needed to end a call or a creation. */
interface Leaving {
  readonly depth: number;
  readonly snapshot: Snapshot;
  readonly outcome: EvmOutcome;
  readonly halt: Halt | undefined;
  readonly output: Uint8Array;
  readonly gasLimit: number;
  readonly reserveLimit: bigint;
  /** Remaining gas. */
  readonly gas: number;
  readonly reserve: bigint;
  readonly outOffset: Word;
  readonly outLength: Word;
  /** The contract to be created. */
  readonly created: Address | undefined;
}

const DEPOSIT_GAS_PER_BYTE = 200;
/** EIP-3541. */
const RESERVED_BYTE = 0xef;
const EMPTY = new Uint8Array();
/** Memory limit of a run; lower if it can be aborted, since many of those run concurrently. */
const MAX_BLOCK_BYTES = 2 ** 32;
const MAX_LIMITED_BYTES = 2 ** 28;

/** A run of code: the frames in progress, and how they start and end. */
export class Machine {
  readonly rules: Rules;
  readonly maxStackItems: number;
  readonly chainId: bigint;
  readonly block: BlockContext;
  readonly state: WorldState;
  readonly substate: Substate;
  readonly contracts: NativeContracts;
  readonly limit: TimeLimit;
  /** Whether the clock must be read during the run. */
  readonly isWatched: boolean;
  readonly budget: MemoryBudget;
  /** Number of entries into a region until it is compiled; 0 if none is. */
  readonly compileAfter: number;
  readonly origin: Address;
  readonly gasPrice: bigint;
  readonly blobHashes: readonly Hash[];
  readonly tracer: Tracer | undefined;
  readonly recordsTransfers: boolean;
  /** The current frame; none if the run is over, or a precompile is running. */
  frame: Frame | undefined;
  /** What the run waits for: a tracer, others, or a precompile that is loading or running. */
  pending: Promise<void> | undefined;
  result: MachineResult | undefined;
  readonly #keepsEmpty: boolean;
  readonly #programs: Programs;
  readonly #frames: Frame[];
  readonly #compiler: Compiler | undefined;
  /** Whether the step of the current instruction was reported. */
  #isStepReported = false;
  #invalid: MachineResult["invalid"];

  constructor(settings: MachineSettings) {
    this.rules = settings.rules;
    this.maxStackItems = settings.maxStackItems;
    this.chainId = settings.chainId;
    this.block = settings.block;
    this.state = settings.state;
    this.substate = settings.substate;
    this.contracts = settings.contracts;
    this.limit = settings.limit;
    this.budget = new MemoryBudget(this.limit.isSet ? MAX_LIMITED_BYTES : MAX_BLOCK_BYTES);
    this.isWatched = this.limit.isWatched;
    this.compileAfter = settings.compiler?.after ?? 0;
    this.origin = settings.origin;
    this.gasPrice = settings.gasPrice;
    this.blobHashes = settings.blobHashes;
    this.tracer = settings.tracer;
    this.recordsTransfers = settings.recordsTransfers === true;
    this.#keepsEmpty = settings.keepsEmpty === true;
    this.#programs = settings.programs;
    this.#frames = settings.frames;
    this.#compiler = settings.compiler;
  }

  /** Compiles a region, and others that are entered often. */
  compile(program: Program, head: number): CompiledCode | undefined {
    return this.#compiler?.compile(program, head);
  }

  /** A program is only interpreted from now on. */
  forget(program: Program): void {
    this.#compiler?.forget(program);
  }

  /** EIP-161; before Spurious Dragon, a missing account. */
  isDead(account: Account | undefined): boolean {
    if (account === undefined) return true;
    return this.rules.removesEmptyAccounts && isEmpty(account);
  }

  balanceOf(address: Address): bigint {
    return this.state.findAccount(address)?.balance ?? 0n;
  }

  /** The account whose code runs instead of an account's own (EIP-7702). */
  findDelegate(address: Address): Address | undefined {
    if (!this.rules.hasDelegations) return undefined;
    return delegateOf(this.state.getCode(address));
  }

  /** Starts a call; if there is no code to run, it ends at once. */
  enterCall(start: CallStart): void {
    const { kind, caller, to, codeAddress, value, input, gas, reserve } = start;
    const native = this.contracts.get(codeAddress);
    if (this.tracer?.enter !== undefined) this.#reportCall(start, native !== undefined);
    const snapshot = this.#checkpoint();
    if ((kind === "call" || kind === "staticcall") && !this.#tryTransfer(caller, to, value)) {
      const ending = { outcome: "halted", halt: "ILLEGAL_STATE_CHANGE", output: EMPTY } as const;
      this.#leaveCall(start, snapshot, { ...ending, gas, reserve });
      return;
    }
    if (kind !== "delegatecall") this.#recordTransfer(caller, to, value);
    if (native !== undefined) {
      this.#runNative(native, start, snapshot);
      return;
    }
    const program = this.#programOf(codeAddress);
    if (program === undefined) {
      this.#leaveCall(start, snapshot, { outcome: "success", output: EMPTY, gas, reserve });
      return;
    }
    this.#frameAt(start.depth).start({
      kind,
      depth: start.depth,
      caller,
      account: this.substate.access(to),
      value,
      input,
      isStatic: start.isStatic,
      program,
      gas,
      reserve,
      snapshot,
      budget: this.budget,
      outOffset: start.outOffset,
      outLength: start.outLength,
    });
  }

  /** If it takes long, no frame runs until it is done. */
  #runNative(native: NativeContract, start: CallStart, snapshot: Snapshot): void {
    const { input, gas, reserve } = start;
    const running = this.limit.run(native.run({ data: input, gas: BigInt(gas) + reserve }));
    if (!(running instanceof Promise)) {
      this.#leaveCall(start, snapshot, nativeEnding(running, start));
      return;
    }
    this.frame = undefined;
    // A tracer may be busy as well.
    this.pending = Promise.all([running, this.pending]).then(([result]) => {
      this.#leaveCall(start, snapshot, nativeEnding(result, start));
    });
  }

  #reportCall(start: CallStart, isPrecompile: boolean): void {
    const { kind, depth, caller, to, codeAddress, value, input, gas, reserve } = start;
    this.tracer?.enter?.({
      kind,
      depth,
      from: caller,
      to,
      codeAddress,
      input: input.slice(),
      value,
      gas: BigInt(gas) + reserve,
      isPrecompile,
    });
  }

  /** Starts a creation at an address that the caller has computed. */
  enterCreation(start: CreationStart): void {
    const { kind, depth, caller, address, value, initCode, gas, reserve } = start;
    this.tracer?.enter?.({
      kind,
      depth,
      from: caller,
      to: undefined,
      codeAddress: undefined,
      input: initCode.slice(),
      value,
      gas: BigInt(gas) + reserve,
      isPrecompile: false,
    });
    const { hasColdAccess, removesEmptyAccounts } = this.rules;
    if (hasColdAccess) this.substate.warm(this.substate.access(address));
    const snapshot = this.#checkpoint();
    const obstacle = this.#findObstacle(start);
    if (obstacle !== undefined) {
      const ending = { outcome: "halted", halt: obstacle, output: EMPTY } as const;
      this.#leaveCreation(start, snapshot, { ...ending, gas: 0, reserve: 0n });
      return;
    }
    this.substate.create(address);
    this.#recordTransfer(caller, address, value);
    try {
      this.state.setAccount(caller, { balance: this.balanceOf(caller) - value });
      const balance = this.balanceOf(address) + value;
      this.state.setAccount(address, removesEmptyAccounts ? { nonce: 1n, balance } : { balance });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const ending = { outcome: "halted", halt: "ILLEGAL_STATE_CHANGE", output: EMPTY } as const;
      this.#leaveCreation(start, snapshot, { ...ending, gas, reserve });
      return;
    }
    if (initCode.length === 0) {
      this.#leaveCreation(start, snapshot, { outcome: "success", output: EMPTY, gas, reserve });
      return;
    }
    this.#frameAt(depth).start({
      kind,
      depth,
      caller,
      account: this.substate.access(address),
      value,
      input: EMPTY,
      isStatic: false,
      program: analyse(initCode, this.rules, this.limit.verify),
      gas,
      reserve,
      snapshot,
      budget: this.budget,
      outOffset: 0,
      outLength: 0,
    });
  }

  /** Ends the current frame. */
  finish(frame: Frame, outcome: "success" | "reverted", output: Uint8Array): void {
    if (outcome === "success" && frame.isCreation) this.#deposit(frame, output);
    else this.#end(frame, { outcome, output });
  }

  /** Aborts the current frame; all of its gas is used. */
  halt(frame: Frame, halt: Halt): void {
    if (halt === "INVALID_OPERATION" && frame.depth === 1) this.#invalid = invalidAt(frame);
    if (this.tracer?.step !== undefined && !this.#isStepReported) this.reportStep(frame, 0);
    frame.gas = 0;
    frame.reserve = 0n;
    this.#end(frame, { outcome: "halted", halt, output: EMPTY });
  }

  /** Aborts the current frame if the state rejected a change; any other error is a fault. */
  haltOn(error: unknown): void {
    const { frame } = this;
    if (frame === undefined || !isRefusal(error)) throw error;
    this.halt(frame, "ILLEGAL_STATE_CHANGE");
  }

  /** An instruction starts, whose step is reported once its price is known. */
  beginStep(): void {
    this.#isStepReported = false;
  }

  /** Reports the next instruction, with its dynamic cost. */
  reportStep(frame: Frame, dynamicGas: number): void {
    this.#isStepReported = true;
    if (this.tracer?.step === undefined) return;
    const { program, ip } = frame;
    const position = program.positions[ip] as number;
    const isImplicit = position >= program.code.length;
    // A tracer sees an instruction that the fork lacks as INVALID.
    const isMissing = program.plain[ip] === OP.INVALID;
    const op = isMissing ? OP.INVALID : (program.code[position] ?? OP.STOP);
    const about = {
      pc: position,
      op,
      cost: BigInt(this.rules.staticGas[op] as number) + BigInt(dynamicGas),
      refund: BigInt(this.substate.refund),
      isImplicit,
    };
    const pending = this.tracer?.readsAtOnce
      ? reportBriefly(this.tracer, frame, about)
      : this.tracer?.step?.(lastingStep(frame, about));
    if (pending !== undefined) this.pending = pending;
  }

  /** The address of the next contract that an account creates. */
  nextAddress(creator: Address, nonce: bigint): Address {
    return contractAddress({ sender: creator, nonce });
  }

  #checkpoint(): Snapshot {
    this.state.checkpoint();
    return this.substate.snapshot();
  }

  /** Transfers value; returns false if an account cannot receive it. */
  #tryTransfer(from: Address, to: Address, value: bigint): boolean {
    try {
      if (value > 0n && from !== to) {
        this.state.setAccount(from, { balance: this.balanceOf(from) - value });
        this.state.setAccount(to, { balance: this.balanceOf(to) + value });
      }
      this.#touch(to);
      return true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return false;
    }
  }

  /**
   * Before Spurious Dragon, and if empty accounts are kept, every called account exists from then
   * on.
   */
  #touch(address: Address): void {
    if (this.rules.removesEmptyAccounts && !this.#keepsEmpty) this.substate.touch(address);
    else if (this.state.findAccount(address) === undefined) this.state.setAccount(address, {});
  }

  #recordTransfer(from: Address, to: Address, value: bigint): void {
    if (this.recordsTransfers && value > 0n) this.substate.log(transferLog(from, to, value), true);
  }

  #programOf(address: Address): Program | undefined {
    const runs = this.findDelegate(address) ?? address;
    const hash = this.state.findAccount(runs)?.codeHash ?? EMPTY_CODE_HASH;
    if (hash === EMPTY_CODE_HASH) return undefined;
    return this.#programs.of(hash, () => this.state.getCode(runs), this.limit.verify);
  }

  /** Why no contract can be created at an address (EIP-684, EIP-3860, EIP-7610). */
  #findObstacle({ address, initCode }: CreationStart): Halt | undefined {
    if (initCode.length > this.rules.maxInitCodeBytes) return "CODE_TOO_LARGE";
    const account = this.state.findAccount(address);
    if (account === undefined) return undefined;
    const isTaken =
      account.nonce > 0n || account.codeHash !== EMPTY_CODE_HASH || this.state.hasStorage(address);
    return isTaken ? "ILLEGAL_STATE_CHANGE" : undefined;
  }

  /** Charges for the code of a new contract and stores it (EIP-2, EIP-170, EIP-3541). */
  #deposit(frame: Frame, code: Uint8Array): void {
    const { maxCodeBytes, reservesEf, needsDepositGas } = this.rules;
    const isLimited = maxCodeBytes !== Number.POSITIVE_INFINITY;
    const mostBytes = isLimited ? (this.block.maxCodeBytes ?? maxCodeBytes) : maxCodeBytes;
    this.#isStepReported = true;
    if (code.length > mostBytes) {
      this.halt(frame, "CODE_TOO_LARGE");
    } else if (reservesEf && code[0] === RESERVED_BYTE) {
      this.halt(frame, "INVALID_CODE");
    } else if (frame.charge(DEPOSIT_GAS_PER_BYTE * code.length)) {
      if (code.length > 0) this.state.setCode(frame.address, code);
      this.#end(frame, { outcome: "success", output: code });
    } else if (needsDepositGas) {
      this.halt(frame, "INSUFFICIENT_GAS");
    } else {
      // Frontier creates contracts without code if there is no gas left to pay for it.
      this.#end(frame, { outcome: "success", output: EMPTY });
    }
  }

  /** The frame of a depth, which becomes the current one. */
  #frameAt(depth: number): Frame {
    let frame = this.#frames[depth - 1];
    if (frame === undefined) {
      frame = new Frame();
      this.#frames.push(frame);
    }
    this.frame = frame;
    if (depth % DEPTH_PER_LOOK === 0 && this.limit.isSet) this.limit.verify();
    return frame;
  }

  /** Ends a call without a frame. */
  #leaveCall(start: CallStart, snapshot: Snapshot, ending: EarlyEnding): void {
    this.#leave({
      depth: start.depth,
      snapshot,
      outcome: ending.outcome,
      halt: ending.halt,
      output: ending.output,
      gasLimit: start.gas,
      reserveLimit: start.reserve,
      gas: ending.gas,
      reserve: ending.reserve,
      outOffset: start.outOffset,
      outLength: start.outLength,
      created: undefined,
    });
  }

  /** Ends a creation without a frame. */
  #leaveCreation(start: CreationStart, snapshot: Snapshot, ending: EarlyEnding): void {
    this.#leave({
      depth: start.depth,
      snapshot,
      outcome: ending.outcome,
      halt: ending.halt,
      output: ending.output,
      gasLimit: start.gas,
      reserveLimit: start.reserve,
      gas: ending.gas,
      reserve: ending.reserve,
      outOffset: 0,
      outLength: 0,
      created: start.address,
    });
  }

  #end(frame: Frame, { outcome, halt, output }: Ending): void {
    const leaving = {
      depth: frame.depth,
      snapshot: frame.snapshot,
      outcome,
      halt,
      output,
      gasLimit: frame.gasLimit,
      reserveLimit: frame.reserveLimit,
      gas: frame.gas,
      reserve: frame.reserve,
      outOffset: frame.outOffset,
      outLength: frame.outLength,
      created: frame.isCreation ? frame.address : undefined,
    };
    frame.end();
    this.#leave(leaving);
  }

  /** Commits or reverts, and passes the result to the caller. */
  #leave(leaving: Leaving): void {
    const { depth, outcome, output, created } = leaving;
    if (outcome === "success") {
      this.state.commit();
    } else {
      this.state.revert();
      const { logBytes } = this.substate;
      this.substate.revertTo(leaving.snapshot);
      this.budget.giveBack(logBytes - this.substate.logBytes);
    }
    if (this.tracer?.exit !== undefined) this.tracer.exit({ depth, ...endOf(leaving) });
    if (depth === 1) {
      this.frame = undefined;
      this.result = { ...endOf(leaving), ...(this.#invalid && { invalid: this.#invalid }) };
      return;
    }
    const parent = this.#frames[depth - 2] as Frame;
    this.frame = parent;
    parent.refundGas(leaving.gas, leaving.reserve);
    const { stack } = parent;
    if (created !== undefined) {
      stack[parent.sp] = outcome === "success" ? wordOfHex(created) : 0;
      parent.returned = outcome === "reverted" ? output : EMPTY;
    } else {
      stack[parent.sp] = outcome === "success" ? 1 : 0;
      parent.returned = output;
      const length = Math.min(output.length, leaving.outLength as number);
      if (length > 0) {
        parent.memory.bytes.set(output.subarray(0, length), leaving.outOffset as number);
      }
    }
    parent.sp += 1;
  }
}

/** The end of a frame, as reported to the tracer, and as the result of the run. */
function endOf(leaving: Leaving): Omit<MachineResult, "invalid"> {
  const { outcome, halt, output, created } = leaving;
  const given = BigInt(leaving.gasLimit) + leaving.reserveLimit;
  return {
    outcome,
    output,
    gasUsed: given - BigInt(leaving.gas) - leaving.reserve,
    ...(halt === undefined ? {} : { halt }),
    ...(created === undefined ? {} : { createdAddress: created }),
  };
}

/** Number of frames that are entered before the clock is read again. */
const DEPTH_PER_LOOK = 8;

/** Whether an account is empty (EIP-161). */
export function isEmpty({ nonce, balance, codeHash }: Account): boolean {
  return nonce === 0n && balance === 0n && codeHash === EMPTY_CODE_HASH;
}

/** The state rejected a change: an account is read-only, or would exceed its limits. */
function isRefusal(error: unknown): boolean {
  return error instanceof ReadOnlyAccount || error instanceof AccountOverflow;
}

function invalidAt({ program, ip, address }: Frame): NonNullable<MachineResult["invalid"]> {
  return { byte: program.code[program.positions[ip] as number] ?? 0, address };
}

function nativeEnding(
  { gasUsed, output, halt }: NativeResult,
  { gas, reserve }: Pick<CallStart, "gas" | "reserve">,
): EarlyEnding {
  if (halt !== undefined) return { outcome: "halted", halt, output, gas: 0, reserve: 0n };
  if (reserve === 0n) return { outcome: "success", output, gas: gas - Number(gasUsed), reserve };
  return { outcome: "success", output, ...splitGas(BigInt(gas) + reserve - gasUsed) };
}
