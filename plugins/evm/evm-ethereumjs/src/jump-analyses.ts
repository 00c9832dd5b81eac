import type { VM } from "@ethereumjs/vm";
import { LruMap } from "@plinth/core/primitives";

/**
 * The result of EthereumJS's code analysis before the first jump: jump destinations, and push data.
 */
type Analysis = object;

/** The used part of its interpreter; the class itself is not exported. */
interface Interpreter {
  readonly _evm: object;
  _getValidJumpDestinations(code: Uint8Array): Analysis;
}

type Handler = (
  state: { readonly interpreter: Interpreter },
  ...others: readonly unknown[]
) => unknown;

const JUMPS = [0x56, 0x57];
/** An analysis takes about fifty times the memory of its code. */
const MAX_CODE_BYTES = 512 * 1024;

/**
 * Caches the analyses of code that runs repeatedly.
 *
 * EthereumJS analyzes the code of a contract in every call, which takes longer than most calls. Code is identified by
 * its array, which the core reuses as long as it is in use.
 */
export class JumpAnalyses {
  readonly #known = new LruMap<Uint8Array, Analysis>({
    max: MAX_CODE_BYTES,
    sizeOf: (_, { length }) => length,
  });
  /** Code that ran once, and may be creation code. */
  readonly #seen = new WeakSet<Uint8Array>();

  /** The analysis of code, computed if it is not cached. */
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

/** Makes a machine cache the analyses of its code. */
export function keepJumpAnalyses({ evm }: VM): void {
  byEvm.set(evm, new JumpAnalyses());
  if (isPatched) return;
  // The first jump leads to the interpreter, and with it to the shared method.
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
