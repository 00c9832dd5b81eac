import type { EVMResult, InterpreterStep, Message } from "@ethereumjs/evm";
import type { VM } from "@ethereumjs/vm";
import { toHex } from "@plinth/core";
import type { FrameKind, TraceFrame, Tracer } from "@plinth/core/evm";
import { endedWith } from "./outcome.js";

/** Instructions that start frames. */
const CALLS: Readonly<Record<number, FrameKind>> = {
  240: "create",
  241: "call",
  242: "callcode",
  244: "delegatecall",
  245: "create2",
  250: "staticcall",
};

/** STOP, RETURN and SELFDESTRUCT. */
const ENDS: readonly number[] = [0x00, 0xf3, 0xff];
const WORD_BYTES = 32;

type Resolve = (result?: unknown) => void;

/** Attaches a tracer to a machine until the returned function is called. */
export function attachTracer(vm: VM, tracer: Tracer): () => void {
  const listener = new TraceListener(vm, tracer);
  const { events } = vm.evm;
  if (events === undefined) throw new Error("the EVM emits no events: tracing needs vm.evm.events");
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
  /** The last instruction, which starts the next frame. */
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

  readonly step = (event: InterpreterStep, resolve?: Resolve): void => {
    this.#verify();
    const { opcode, gasLeft: gas, gasRefund: refund, pc, stack, memory, address } = event;
    this.#op = opcode.code;
    const pending = this.#tracer.step?.({
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
    this.#after(pending, () => resolve?.());
  };

  readonly exit = (result: EVMResult, resolve?: Resolve): void => {
    this.#after(this.#stopAtEnd(result), () => {
      this.#leave(result);
      resolve?.();
    });
  };

  #leave({ execResult, createdAddress }: EVMResult): void {
    const { exceptionError, executionGasUsed, returnValue } = execResult;
    this.#tracer.exit?.({
      depth: this.#depth,
      ...endedWith(exceptionError?.error),
      gasUsed: executionGasUsed,
      output: returnValue,
      ...(createdAddress === undefined ? {} : { createdAddress: toHex(createdAddress.bytes) }),
    });
    this.#depth -= 1;
  }

  /**
   * Continues when the tracer is ready. EthereumJS ignores a failure here, so the next step throws
   * it.
   */
  #after(pending: void | Promise<void>, goOn: () => void): void {
    if (pending === undefined) {
      goOn();
      return;
    }
    pending.then(goOn, (error) => {
      this.#failure = { error };
      goOn();
    });
  }

  /** Code that runs off its end stops with an implicit STOP, for which EthereumJS emits no step. */
  #stopAtEnd({ execResult }: EVMResult): void | Promise<void> {
    const { runState, exceptionError } = execResult;
    if (runState === undefined || exceptionError !== undefined) return undefined;
    const { programCounter: pc, code, opCode, gasLeft: gas, gasRefund: refund } = runState;
    if (pc < code.length || ENDS.includes(opCode)) return undefined;
    return this.#tracer.step?.({
      depth: this.#depth,
      pc,
      op: 0,
      gas,
      cost: 0n,
      stack: runState.stack.getStack(),
      memory: runState.memory._store.slice(0, Number(runState.memoryWordCount) * WORD_BYTES),
      address: toHex(runState.env.address.bytes),
      refund,
      isImplicit: true,
    });
  }

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
      // A view of the caller's memory, which changes later.
      input: data.slice(),
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
