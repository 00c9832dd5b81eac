import { toHex, toQuantity } from "@plinth/core";
import type { TraceFrame, TraceFrameEnd, Tracer, TraceStep } from "@plinth/core/evm";
import { haltDescription, opcodeName, type Sink } from "@plinth/kit-trace";

const CREATES: readonly number[] = [0xf0, 0xf5];
const NOTHING = new Uint8Array();

/** Writes one line per step (EIP-3155). */
export class FileTracer implements Tracer {
  readonly #sink: Sink;
  readonly #settings: { readonly hasMemory: boolean; readonly isMerged: boolean };
  /** Return data of the frame that ended last, by depth. */
  readonly #returned = new Map<number, Uint8Array>();
  #waiting: TraceStep | undefined;
  #drained: Promise<void> | undefined;

  constructor(sink: Sink, settings: { readonly hasMemory: boolean; readonly isMerged: boolean }) {
    this.#sink = sink;
    this.#settings = settings;
  }

  enter({ gas, depth }: TraceFrame): void {
    const step = this.#waiting;
    if (step !== undefined) this.#write(step, { cost: costOf(step, gas) });
    this.#returned.delete(depth);
  }

  step(step: TraceStep): Promise<void> | undefined {
    if (this.#waiting !== undefined) this.#write(this.#waiting, {});
    // The implicit STOP at the end of the code is not included.
    this.#waiting = step.isImplicit === true ? undefined : step;
    const drained = this.#drained;
    this.#drained = undefined;
    return drained;
  }

  exit({ depth, outcome, halt, output }: TraceFrameEnd): void {
    const error =
      outcome === "reverted"
        ? toHex(output)
        : outcome === "halted"
          ? haltDescription(halt)
          : undefined;
    if (this.#waiting !== undefined) {
      this.#write(this.#waiting, error === undefined ? {} : { error });
    }
    this.#returned.set(depth - 1, output);
  }

  #write(step: TraceStep, { cost = step.cost, error }: { cost?: bigint; error?: string }): void {
    this.#waiting = undefined;
    const { pc, op, gas, memory, stack, depth, refund } = step;
    const returned = this.#returned.get(depth) ?? NOTHING;
    const line = {
      pc,
      op,
      gas: toQuantity(gas),
      gasCost: toQuantity(cost),
      ...(this.#settings.hasMemory && memory.length > 0 ? { memory: toHex(memory) } : {}),
      memSize: memory.length,
      stack: stack.map((item) => toQuantity(item)),
      ...(returned.length > 0 ? { returnData: toHex(returned) } : {}),
      depth,
      refund: Number(refund),
      opName: opcodeName(op, this.#settings),
      ...(error === undefined ? {} : { error }),
    };
    this.#drained = this.#sink.write(`${JSON.stringify(line)}\n`) ?? this.#drained;
  }
}

function costOf({ op, cost }: TraceStep, handed: bigint): bigint {
  return CREATES.includes(op) ? cost : cost + handed;
}
