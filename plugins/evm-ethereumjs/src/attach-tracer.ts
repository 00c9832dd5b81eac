import type { EVMResult, InterpreterStep, Message } from "@ethereumjs/evm";
import type { VM } from "@ethereumjs/vm";
import { type FrameKind, type TraceFrame, type Tracer, toHex } from "@plinth/core";
import { endedWith } from "./outcome.js";

/** What frames are made by. */
const CALLS: Readonly<Record<number, FrameKind>> = {
  240: "create",
  241: "call",
  242: "callcode",
  244: "delegatecall",
  245: "create2",
  250: "staticcall",
};

/** Lets a tracer hear the runs of a machine until what is returned is called. */
export function attachTracer(vm: VM, tracer: Tracer): () => void {
  const listener = new TraceListener(vm, tracer);
  const { events } = vm.evm;
  if (events === undefined) throw new Error("this machine tells nobody what it does");
  events.on("beforeMessage", listener.enter);
  events.on("step", listener.step);
  events.on("afterMessage", listener.exit);
  return () => {
    events.off("beforeMessage", listener.enter);
    events.off("step", listener.step);
    events.off("afterMessage", listener.exit);
  };
}

class TraceListener {
  readonly #vm: VM;
  readonly #tracer: Tracer;
  #depth = 0;
  /** The last instruction, which makes the frame that begins next. */
  #op = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(vm: VM, tracer: Tracer) {
    this.#vm = vm;
    this.#tracer = tracer;
  }

  readonly enter = (message: Message): void => {
    this.#verify();
    this.#depth += 1;
    this.#tracer.enter?.(this.#frameOf(message));
  };

  readonly step = (event: InterpreterStep, resolve?: (result?: unknown) => void): void => {
    this.#verify();
    const { opcode, gasLeft: gas, gasRefund: refund, pc, stack, memory, address } = event;
    this.#op = opcode.code;
    const told = this.#tracer.step?.({
      depth: this.#depth,
      pc,
      op: opcode.code,
      gas,
      cost: opcode.dynamicFee ?? BigInt(opcode.fee),
      stack,
      memory,
      address: toHex(address.bytes),
      refund,
    });
    if (told === undefined) {
      resolve?.();
      return;
    }
    told.then(resolve, (error) => {
      this.#failure = { error };
      resolve?.();
    });
  };

  readonly exit = ({ execResult, createdAddress }: EVMResult): void => {
    const { exceptionError, executionGasUsed, returnValue } = execResult;
    this.#tracer.exit?.({
      depth: this.#depth,
      ...endedWith(exceptionError?.error),
      gasUsed: executionGasUsed,
      output: returnValue,
      ...(createdAddress === undefined ? {} : { createdAddress: toHex(createdAddress.bytes) }),
    });
    this.#depth -= 1;
  };

  /** EthereumJS waits for those it tells but does not hear when they fail: the next step does. */
  #verify(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #frameOf(message: Message): TraceFrame {
    const { to, caller, data, value, gasLimit } = message;
    const code = to === undefined ? undefined : message.codeAddress;
    return {
      kind: this.#kindOf(message),
      depth: this.#depth,
      from: toHex(caller.bytes),
      to: to && toHex(to.bytes),
      codeAddress: code && toHex(code.bytes),
      input: data,
      value,
      gas: gasLimit,
      isPrecompile: code !== undefined && this.#isPrecompile(code.bytes),
    };
  }

  #kindOf({ to }: Message): FrameKind {
    if (this.#depth === 1) return to === undefined ? "create" : "call";
    return CALLS[this.#op] ?? "call";
  }

  #isPrecompile(address: Uint8Array): boolean {
    const { precompiles } = this.#vm.evm as { precompiles?: Map<string, unknown> };
    return precompiles?.has(toHex(address).slice(2)) === true;
  }
}
