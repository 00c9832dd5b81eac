import { type Address, type StateReader, toHex, toQuantity } from "@plinth/core";
import type { TraceFrame, TraceFrameEnd, Tracer, TraceStep } from "@plinth/core/evm";
import { addressIn, TraceBudget } from "@plinth/kit-trace";

const SELFDESTRUCT = 0xff;
/** They transfer no value. */
const WITHOUT_VALUE: readonly string[] = ["delegatecall", "staticcall"];
const NOTHING = "0x";

/** A call, a creation or a self-destruct, as Otterscan expects it. */
export interface ListedCall {
  readonly type: string;
  /** The transaction itself has depth 0. */
  readonly depth: number;
  readonly from: Address;
  /** Null for a creation that failed. */
  to: Address | null;
  readonly value: string | null;
  readonly input: string;
  output: string;
}

interface OpenFrame {
  /** Its place in the list; `undefined` for a call to a precompile without value. */
  readonly call: ListedCall | undefined;
  /** Number of calls before it. */
  readonly before: number;
  /** Its last step, if it destroys the contract. */
  destruction: ListedCall | undefined;
}

/** Lists the calls of a transaction in order. */
export class CallList implements Tracer {
  readonly readsAtOnce = true;
  readonly #all: ListedCall[] = [];
  readonly #state: StateReader;
  /** Calls of precompiles by contracts, which transfer value. */
  readonly #precompiled = new Set<ListedCall>();
  readonly #undone = new Set<ListedCall>();
  readonly #open: OpenFrame[] = [];
  readonly #budget = new TraceBudget();

  constructor(state: StateReader) {
    this.#state = state;
  }

  /** All calls but those of precompiles by contracts. */
  get calls(): readonly ListedCall[] {
    return this.#all.filter((call) => !this.#precompiled.has(call));
  }

  /** The calls whose effects were not reverted, with the transfers to precompiles. */
  get effective(): readonly ListedCall[] {
    return this.#all.filter((call) => !this.#undone.has(call));
  }

  enter(frame: TraceFrame): void {
    const isAccount = !frame.isPrecompile || frame.depth === 1;
    const isKept = isAccount || (frame.kind === "call" && frame.value > 0n);
    const call = isKept ? describe(frame) : undefined;
    this.#open.push({ call, before: this.#all.length, destruction: undefined });
    if (call === undefined) return;
    this.#budget.keepFrame(frame.input);
    this.#all.push(call);
    if (!isAccount) this.#precompiled.add(call);
  }

  step({ op, stack, address, depth }: TraceStep): undefined {
    const frame = this.#open.at(-1);
    if (frame === undefined) return;
    frame.destruction =
      op === SELFDESTRUCT
        ? {
            ...{ type: "SELFDESTRUCT", depth, from: address, to: addressIn(stack.at(-1)) },
            value: toQuantity(this.#state.findAccount(address)?.balance ?? 0n),
            ...{ input: NOTHING, output: NOTHING },
          }
        : undefined;
  }

  exit({ outcome, output, createdAddress }: TraceFrameEnd): void {
    const frame = this.#open.pop();
    if (frame === undefined) return;
    const { call, before, destruction } = frame;
    if (call !== undefined) {
      this.#budget.keep(output.length);
      call.output = toHex(output);
      call.to ??= createdAddress ?? null;
    }
    if (outcome !== "success") for (const each of this.#all.slice(before)) this.#undone.add(each);
    else if (destruction !== undefined) this.#all.push(destruction);
  }
}

function describe({ kind, depth, from, to, codeAddress, input, value }: TraceFrame): ListedCall {
  return {
    type: kind.toUpperCase(),
    depth: depth - 1,
    from: kind === "delegatecall" ? (to ?? from) : from,
    to: codeAddress ?? to ?? null,
    value: WITHOUT_VALUE.includes(kind) ? null : toQuantity(value),
    input: toHex(input),
    output: NOTHING,
  };
}
