import type { Address } from "@plinth/core";
import type { Commit, Prepare, Proposal } from "../messages/messages.js";

/** The messages received in a round: a proposal, and for each validator a prepare and a commit. */
export class RoundState<P extends Proposal = Proposal> {
  readonly round: number;
  readonly prepares = new Map<Address, Prepare>();
  readonly commits = new Map<Address, Commit>();
  /** The first prepare and the first commit of each validator, whatever their block. */
  readonly #firstVotes = new Map<string, Prepare | Commit>();
  #proposal: P | undefined;
  #isPrepared = false;
  #isDecided = false;

  constructor(round: number) {
    this.round = round;
  }

  get proposal(): P | undefined {
    return this.#proposal;
  }

  /** Records a vote; returns an earlier vote of its author for another block. */
  findContradicted(vote: Prepare | Commit): Prepare | Commit | undefined {
    const key = `${vote.kind} ${vote.author}`;
    const first = this.#firstVotes.get(key) ?? vote;
    this.#firstVotes.set(key, first);
    return first.digest === vote.digest ? undefined : first;
  }

  /** Sets the proposal of the round, and drops messages about another. */
  accept(proposal: P, isValid: (message: Prepare | Commit) => boolean): void {
    this.#proposal = proposal;
    for (const messages of [this.prepares, this.commits]) {
      for (const [author, message] of messages) if (!isValid(message)) messages.delete(author);
    }
  }

  /** Whether the round is now prepared; true once only. */
  becomesPrepared(needed: number): boolean {
    if (this.#isPrepared || this.#proposal === undefined || this.prepares.size < needed)
      return false;
    this.#isPrepared = true;
    return true;
  }

  /** Whether the round is now decided; true once only. */
  becomesDecided(needed: number): boolean {
    if (this.#isDecided || this.#proposal === undefined || this.commits.size < needed) return false;
    this.#isDecided = true;
    return true;
  }
}
