import type { VM } from "@ethereumjs/vm";
import { LruMap } from "@plinth/core/primitives";

/** What EthereumJS finds out about code before its first jump: where jumps may go, and what is pushed. */
type Analysis = object;

/** The part of its interpreter that is used here; the class itself is not exported. */
interface Interpreter {
  readonly _evm: object;
  _getValidJumpDestinations(code: Uint8Array): Analysis;
}

type Handler = (
  state: { readonly interpreter: Interpreter },
  ...others: readonly unknown[]
) => unknown;

const JUMPS = [0x56, 0x57];
/** An analysis takes about fifty times as much memory as its code. */
const MAX_CODE_BYTES = 512 * 1024;

/**
 * Keeps the analyses of code that runs again.
 *
 * EthereumJS analyses the code of a contract in every call of it, which takes longer than most calls do.
 * Code is known by its array, which the core hands out again as long as it is used.
 */
export class JumpAnalyses {
  readonly #known = new LruMap<Uint8Array, Analysis>({
    max: MAX_CODE_BYTES,
    sizeOf: (_, { length }) => length,
  });
  /** Code that ran once, and may be that of a creation. */
  readonly #seen = new WeakSet<Uint8Array>();

  /** The analysis of code, made when it is not kept. */
  of(code: Uint8Array, analyse: () => Analysis): Analysis {
    const known = this.#known.peek(code);
    if (known !== undefined) return known;
    const made = analyse();
    if (this.#seen.has(code)) this.#known.add(code, made);
    else this.#seen.add(code);
    return made;
  }
}

const byEvm = new WeakMap<object, JumpAnalyses>();
let isPatched = false;

/** Lets a machine keep the analyses of its code. */
export function keepJumpAnalyses({ evm }: VM): void {
  byEvm.set(evm, new JumpAnalyses());
  if (isPatched) return;
  // The first jump leads to the interpreter, and with it to the method that all of them share.
  const handlers: readonly { opHandler: Handler }[] = Reflect.get(evm, "_opcodeMap");
  for (const entry of JUMPS.map((opcode) => handlers[opcode])) {
    if (entry === undefined) continue;
    const { opHandler } = entry;
    entry.opHandler = (state, ...others) => {
      patch(Object.getPrototypeOf(state.interpreter));
      entry.opHandler = opHandler;
      return opHandler(state, ...others);
    };
  }
}

function patch(prototype: Interpreter): void {
  if (isPatched) return;
  isPatched = true;
  const analyse = prototype._getValidJumpDestinations;
  prototype._getValidJumpDestinations = function (code) {
    const make = () => analyse.call(this, code);
    return byEvm.get(this._evm)?.of(code, make) ?? make();
  };
}
