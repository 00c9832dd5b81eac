import { type CommandIo, PlinthError } from "@plinth/core";

const SHOW_EVERY_MS = 200;

/** Shows how far a command is on a terminal, and ends it when the operator stops it. */
export class Progress {
  readonly #io: CommandIo;
  readonly #signal: AbortSignal;
  #part = "";
  #begun = 0;
  #shown = 0;

  constructor(io: CommandIo, signal: AbortSignal) {
    this.#io = io;
    this.#signal = signal;
  }

  /** A part of the work is done; `share` is its completed fraction, from 0 to 1. */
  show(part: string, share: number): void {
    this.verify();
    const now = performance.now();
    if (part !== this.#part) {
      this.#part = part;
      this.#begun = now;
    } else if (now - this.#shown > SHOW_EVERY_MS) {
      this.#shown = now;
      this.#io.status?.show(`${part} ${Math.floor(share * 100)}% · ${this.#timeLeft(share)} left`);
    }
  }

  /** Throws if the operator has stopped the command. */
  verify(): void {
    if (!this.#signal.aborted) return;
    this.end();
    throw new PlinthError("SNAPSHOT_STOPPED", { message: "Stopped before the end." });
  }

  /** Clears the line. */
  end(): void {
    this.#io.status?.clear();
  }

  #timeLeft(share: number): string {
    if (share <= 0) return "?";
    const seconds = Math.round(((performance.now() - this.#begun) / 1000 / share) * (1 - share));
    return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
}
