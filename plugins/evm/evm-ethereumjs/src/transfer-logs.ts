import type { EVMResult, InterpreterStep, Message } from "@ethereumjs/evm";
import { setLengthLeft } from "@ethereumjs/util";
import type { VM } from "@ethereumjs/vm";
import { keccak256, parseHex } from "@plinth/core";

type Log = [address: Uint8Array, topics: Uint8Array[], data: Uint8Array];

const WORD_BYTES = 32;
/** Address under which wallets expect ether transfers; no contract can be there. */
const ETHER = new Uint8Array(20).fill(0xee);

interface Frame {
  readonly message: Message;
  /** The number of its transfer. */
  readonly index: number;
  /** The numbers of the logs that its own code emitted. */
  readonly own: number[];
  /** The balance that a contract left behind when it self-destructed in this frame. */
  last: Log | undefined;
}

/**
 * Emits a token-style log for every transfer of value, between those of the code.
 *
 * A reverted frame reverts its transfers, as it does with its logs.
 */
export class TransferLogs {
  readonly #vm: VM;
  readonly #written = new Set<Log>();
  readonly #indexes = new Map<Log, number>();
  readonly #frames: Frame[] = [];
  #count = 0;
  readonly #topic = keccak256(Buffer.from("Transfer(address,address,uint256)"));

  constructor(vm: VM) {
    this.#vm = vm;
    vm.evm.events?.on("beforeMessage", this.#begin);
    vm.evm.events?.on("afterMessage", this.#end);
    vm.evm.events?.on("step", this.#step);
  }

  /** Whether it was emitted here, not by the code. */
  includes(log: Log): boolean {
    return this.#written.has(log);
  }

  /** Total number, including reverted ones. */
  get count(): number {
    return this.#count;
  }

  /** The number of a log among all of them. */
  indexOf(log: Log): number {
    return this.#indexes.get(log) ?? 0;
  }

  stop(): void {
    this.#vm.evm.events?.off("beforeMessage", this.#begin);
    this.#vm.evm.events?.off("afterMessage", this.#end);
    this.#vm.evm.events?.off("step", this.#step);
  }

  readonly #begin = (message: Message, resolve?: () => void) => {
    const index = isTransfer(message) ? this.#count++ : 0;
    this.#frames.push({ message, index, own: [], last: undefined });
    resolve?.();
  };

  readonly #end = (result: EVMResult, resolve?: () => void) => {
    const frame = this.#frames.pop();
    const { execResult } = result;
    if (frame !== undefined && execResult.exceptionError === undefined) {
      const { message, index, own, last } = frame;
      const target = message.to ?? result.createdAddress;
      const first =
        isTransfer(message) && target !== undefined
          ? [this.#write(message.caller.bytes, target.bytes, { value: message.value, index })]
          : [];
      const unnumbered = (execResult.logs ?? []).filter((log) => !this.#indexes.has(log));
      for (const [at, log] of unnumbered.entries()) this.#indexes.set(log, own[at] ?? 0);
      execResult.logs = [
        ...first,
        ...(execResult.logs ?? []),
        ...(last === undefined ? [] : [last]),
      ];
    }
    resolve?.();
  };

  readonly #step = (step: InterpreterStep, resolve?: () => void) => {
    const frame = this.#frames.at(-1);
    if (step.opcode.name.startsWith("LOG")) frame?.own.push(this.#count++);
    if (step.opcode.name === "SELFDESTRUCT" && frame !== undefined) {
      const heir = addressOf(step.stack.at(-1) ?? 0n);
      const { balance: value } = step.account;
      const index = this.#count;
      if (value > 0n) {
        frame.last = this.#write(step.address.bytes, heir, { value, index });
        this.#count += 1;
      }
    }
    resolve?.();
  };

  #write(
    from: Uint8Array,
    to: Uint8Array,
    { value, index }: { readonly value: bigint; readonly index: number },
  ): Log {
    const topics = [this.#topic, setLengthLeft(from, WORD_BYTES), setLengthLeft(to, WORD_BYTES)];
    const log: Log = [ETHER, topics, wordOf(value)];
    this.#written.add(log);
    this.#indexes.set(log, index);
    return log;
  }
}

function isTransfer({ value, delegatecall }: Message): boolean {
  return value > 0n && !delegatecall;
}

function wordOf(value: bigint): Uint8Array {
  return parseHex(value.toString(16).padStart(2 * WORD_BYTES, "0")) ?? new Uint8Array(WORD_BYTES);
}

function addressOf(word: bigint): Uint8Array {
  return wordOf(word).subarray(-20);
}
