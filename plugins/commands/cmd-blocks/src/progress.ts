import type { CommandIo, Header } from "@plinth/core";

/** Without a terminal, progress is logged as one line per this many blocks. */
const LINE_EVERY = 1000;
const SHOW_EVERY_MS = 200;
const BAR_CELLS = 24;

/** Shows progress: a bar on a terminal, a line every thousand blocks elsewhere. */
export class Progress {
  readonly #io: CommandIo;
  readonly #verb: string;
  readonly #begun = performance.now();
  #shown = 0;
  #blocks = 0;
  #gas = 0n;

  constructor(io: CommandIo, verb: string) {
    this.#io = io;
    this.#verb = verb;
  }

  get blocks(): number {
    return this.#blocks;
  }

  /** A block is done; `share` is the completed fraction, from 0 to 1. */
  async add({ number, gasUsed }: Header, share: number): Promise<void> {
    this.#blocks += 1;
    this.#gas += gasUsed;
    const { status } = this.#io;
    if (status === undefined) {
      if (number % BigInt(LINE_EVERY) === 0n) {
        await this.#io.write(`${this.#verb} at block ${number}, ${this.#rates()}`);
      }
      return;
    }
    const now = performance.now();
    if (now - this.#shown < SHOW_EVERY_MS) return;
    this.#shown = now;
    const text = `${bar(share)} block ${number} · ${this.#rates()} · ${this.#timeLeft(share)} left`;
    status.show(text.slice(0, status.columns - 1));
  }

  /** Removes the progress bar and logs the result. */
  async end(what: string): Promise<void> {
    this.#io.status?.clear();
    await this.#io.write(`${what}, ${this.#rates()}`);
  }

  #rates(): string {
    const seconds = Math.max(this.#seconds(), 0.001);
    const blocks = Math.round(this.#blocks / seconds).toLocaleString("en");
    const gas = (Number(this.#gas) / seconds / 1e6).toFixed(1);
    return `${blocks} blocks/s, ${gas} Mgas/s`;
  }

  #timeLeft(share: number): string {
    if (share <= 0) return "?";
    const seconds = Math.round((this.#seconds() / share) * (1 - share));
    const minutes = Math.floor(seconds / 60);
    return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
  }

  #seconds(): number {
    return (performance.now() - this.#begun) / 1000;
  }
}

function bar(share: number): string {
  const full = Math.min(BAR_CELLS, Math.round(share * BAR_CELLS));
  return `${"█".repeat(full)}${"░".repeat(BAR_CELLS - full)} ${Math.floor(share * 100)}%`;
}
