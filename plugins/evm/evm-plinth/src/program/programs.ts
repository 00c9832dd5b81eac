import type { Hash } from "@plinth/core";
import type { Fork } from "@plinth/core/evm";
import { LruMap } from "@plinth/core/primitives";
import { analyse, type Program, sizeOfAnalysis } from "./program.js";
import { machineRulesOf, type Rules } from "./rules.js";

/** Approximate size limit of cached analyses. */
const MAX_BYTES = 32 * 2 ** 20;

/** The analyses of recently executed code, by hash; the least recently used are evicted first. */
export class Programs {
  readonly #rules: Rules;
  readonly #known: LruMap<Hash, Program>;

  constructor(rules: Rules, maxBytes = MAX_BYTES) {
    this.#rules = rules;
    this.#known = new LruMap({ max: maxBytes, sizeOf: sizeOfAnalysis });
  }

  /** Approximate size of the cached analyses in bytes. */
  get bytes(): number {
    return this.#known.total;
  }

  /**
   * The analysis of the code with a hash; `read` is called if it is not cached, and `interrupt`
   * during the analysis.
   */
  of(hash: Hash, read: () => Uint8Array, interrupt?: () => void): Program {
    const known = this.#known.get(hash);
    if (known !== undefined) return known;
    const made = analyse(read(), this.#rules, interrupt);
    this.#known.add(hash, made);
    return made;
  }
}

const byFork = new Map<Fork, Programs>();

/** The analyses under the rules of a fork, shared by all EVMs of a thread. */
export function programsOf(fork: Fork): Programs {
  let programs = byFork.get(fork);
  if (programs === undefined) {
    programs = new Programs(machineRulesOf(fork));
    byFork.set(fork, programs);
  }
  return programs;
}
