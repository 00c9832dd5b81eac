import type { Address } from "@plinth/core";
import type { RoundChange } from "./messages.js";

/** The rounds ahead for which messages of one validator are kept. */
const MAX_ROUNDS_PER_AUTHOR = 16;

/** The round changes of a height: one for each round and author, the first that came. */
export class RoundChanges<R extends RoundChange> {
  readonly #byRound = new Map<number, Map<Address, R>>();

  /** False when it is known already, or its author has sent too many. */
  add(message: R): boolean {
    const { author, round } = message;
    const known = this.#byRound.get(round) ?? new Map<Address, R>();
    const rounds = [...this.#byRound.values()].filter((messages) => messages.has(author)).length;
    if (known.has(author) || rounds >= MAX_ROUNDS_PER_AUTHOR) return false;
    known.set(author, message);
    this.#byRound.set(round, known);
    return true;
  }

  /** Those of a round, in the order in which they came. */
  of(round: number): readonly R[] {
    return [...(this.#byRound.get(round)?.values() ?? [])];
  }

  /** The highest round that so many validators have reached; `undefined` when too few have changed. */
  reachedBy(count: number): number | undefined {
    return [...this.rounds().values()].sort((a, b) => b - a)[count - 1];
  }

  /** Forgets those of rounds before this one. */
  dropBefore(round: number): void {
    for (const each of this.#byRound.keys()) if (each < round) this.#byRound.delete(each);
  }

  /** Who has changed to which round, the highest for each. */
  rounds(): ReadonlyMap<Address, number> {
    const rounds = new Map<Address, number>();
    for (const [round, messages] of this.#byRound) {
      for (const author of messages.keys()) {
        rounds.set(author, Math.max(round, rounds.get(author) ?? 0));
      }
    }
    return rounds;
  }
}
