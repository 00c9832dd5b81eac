import type { Address } from "@plinth/core";
import type { RoundChange } from "../messages/messages.js";

/** Maximum number of rounds ahead for which messages of one validator are stored. */
const MAX_ROUNDS_PER_AUTHOR = 16;

/** The round changes of a height: one for each round and author, the first that arrived. */
export class RoundChanges<R extends RoundChange> {
  readonly #byRound = new Map<number, Map<Address, R>>();

  /** Whether one of its author for its round is known. */
  has({ author, round }: R): boolean {
    return this.#byRound.get(round)?.has(author) === true;
  }

  /** False if it is known, or its author has sent too many. */
  add(message: R): boolean {
    const { author, round } = message;
    const known = this.#byRound.get(round) ?? new Map<Address, R>();
    const rounds = [...this.#byRound.values()].filter((messages) => messages.has(author)).length;
    if (known.has(author) || rounds >= MAX_ROUNDS_PER_AUTHOR) return false;
    known.set(author, message);
    this.#byRound.set(round, known);
    return true;
  }

  /** Those of a round, in order of arrival. */
  of(round: number): readonly R[] {
    return [...(this.#byRound.get(round)?.values() ?? [])];
  }

  /**
   * The highest round that this many validators have reached; `undefined` if too few have changed.
   */
  reachedBy(count: number): number | undefined {
    return [...this.rounds().values()].sort((a, b) => b - a)[count - 1];
  }

  /** Removes those of rounds before this one. */
  dropBefore(round: number): void {
    for (const each of this.#byRound.keys()) if (each < round) this.#byRound.delete(each);
  }

  /** The one to the highest round of each author. */
  latest(): readonly R[] {
    const latest = new Map<Address, R>();
    for (const messages of this.#byRound.values()) {
      for (const message of messages.values()) {
        const known = latest.get(message.author);
        if (known === undefined || known.round < message.round) latest.set(message.author, message);
      }
    }
    return [...latest.values()];
  }

  /** The highest round that each validator has changed to. */
  rounds(): ReadonlyMap<Address, number> {
    return new Map(this.latest().map(({ author, round }) => [author, round]));
  }
}
