import type { Hash } from "@plinth/core";
import type { Fork } from "@plinth/core/evm";
import { LruMap } from "@plinth/core/primitives";
import { analyse, BYTES_PER_CODE_BYTE, type Program } from "./program.js";
import { machineRulesOf, type Rules } from "./rules.js";

/** Most bytes that kept analyses take, about. */
const MAX_BYTES = 32 * 2 ** 20;

/** The analyses of code that was run lately, by its hash; the least recently used go first. */
export class Programs {
  readonly #rules: Rules;
  readonly #known: LruMap<Hash, Program>;

  constructor(rules: Rules, maxBytes = MAX_BYTES) {
    this.#rules = rules;
    this.#known = new LruMap({ max: maxBytes, sizeOf });
  }

  /** About how many bytes the kept analyses take. */
  get bytes(): number {
    return this.#known.total;
  }

  /** The analysis of the code with a hash; `read` is called when it is not kept, and `interrupt` while it is made. */
  of(hash: Hash, read: () => Uint8Array, interrupt?: () => void): Program {
    const known = this.#known.get(hash);
    if (known !== undefined) return known;
    const made = analyse(read(), this.#rules, interrupt);
    this.#known.add(hash, made);
    return made;
  }
}

const byFork = new Map<Fork, Programs>();

/** The analyses under the rules of a fork, which all EVMs of a thread share. */
export function programsOf(fork: Fork): Programs {
  let programs = byFork.get(fork);
  if (programs === undefined) {
    programs = new Programs(machineRulesOf(fork));
    byFork.set(fork, programs);
  }
  return programs;
}

function sizeOf({ code, plain }: Program): number {
  return 5 * code.length + BYTES_PER_CODE_BYTE * plain.length;
}
