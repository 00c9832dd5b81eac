import type { Clock, Hash, Logger } from "@plinth/core";
import { CloneRefused } from "./clone-refused.js";

const EVERY_MS = 5_000;
const MIB = 2 ** 20;
/** Key, address and values of an account; hash, slot and value of a slot. */
const ACCOUNT_BYTES = 150;
const SLOT_BYTES = 96;

/** Logs how much of a state is read, and refuses more of it than the operator allows. */
export class CloneProgress {
  readonly #settings: ProgressSettings;
  readonly #startedAt: number;
  #nextAt: number;
  /** The share of the keys that another start has read. */
  #skipped: number | undefined;
  #accounts = 0;
  #slots = 0;
  #bytes = 0;

  constructor(settings: ProgressSettings) {
    this.#settings = settings;
    this.#startedAt = settings.clock.now();
    this.#nextAt = this.#startedAt + EVERY_MS;
  }

  /** Counts an account, up to which all are read. */
  account(key: Hash): void {
    this.#accounts += 1;
    this.#add(ACCOUNT_BYTES);
    const share = Number.parseInt(key.slice(2, 10), 16) / 2 ** 32;
    this.#skipped ??= Math.floor(share * 16) / 16;
    const now = this.#settings.clock.now();
    if (now < this.#nextAt) return;
    this.#nextAt = now + EVERY_MS;
    this.#settings.log.info(`Cloning the state: ${this.describe()}${this.#remaining(share, now)}`);
  }

  /** Counts the bytes of a code. */
  code(bytes: number): void {
    this.#add(bytes);
  }

  /** Counts slots. */
  slots(count: number): void {
    this.#slots += count;
    this.#add(count * SLOT_BYTES);
  }

  /** What was read. */
  describe(): string {
    const mib = (this.#bytes / MIB).toFixed(1);
    return `${this.#accounts} accounts, ${this.#slots} slots, ${mib} MiB`;
  }

  #add(bytes: number): void {
    const { limitGib, option } = this.#settings;
    this.#bytes += bytes;
    if (this.#bytes <= limitGib * 2 ** 30) return;
    throw new CloneRefused(
      `the state is larger than ${option}=${limitGib} (GiB): ${this.describe()} so far. A higher limit takes more time and disk; --fork-mode=LAZY reads values when they are needed`,
      { allowsLazy: true },
    );
  }

  #remaining(share: number, now: number): string {
    const done = share - (this.#skipped ?? 0);
    const percent = Math.floor(share * 100);
    if (done <= 0) return ` (${percent} %)`;
    const left = ((now - this.#startedAt) / done) * (1 - share);
    return ` (${percent} %), about ${Math.ceil(left / 1000)} s left`;
  }
}

/** The inputs of progress. */
export interface ProgressSettings {
  readonly log: Pick<Logger, "info">;
  readonly clock: Pick<Clock, "now">;
  readonly limitGib: number;
  /** The option of the limit, for messages. */
  readonly option: string;
}
