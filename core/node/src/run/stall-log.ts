import { type Clock, type Logger, messageOf } from "@plinth/core";
import type { HealthReport } from "@plinth/core/kernel";
import { CORE } from "../plugin/prepare.js";

/** What to check when blocks do not arrive. */
export interface StallLogSettings {
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether the node is catching up: its head is old then, and blocks arrive. */
  readonly isSyncing: () => boolean;
  readonly report: () => Promise<HealthReport>;
}

const CHECK_MS = 10_000;
/** A chain stalled for this long after the warning is an error. */
const ERROR_MS = 300_000;
const AGAIN_MS = 1_800_000;

/** Logs that the chain is stalled, and why, as far as plugins know: a warning, then errors. */
export class StallLog {
  readonly #settings: StallLogSettings;
  #warnedAt: number | undefined;
  #errorAt: number | undefined;
  #cancel: () => void = () => {};
  #isStopped = false;
  #isFailing = false;

  constructor(settings: StallLogSettings) {
    this.#settings = settings;
  }

  start(): void {
    this.#cancel = this.#settings.clock.after(CHECK_MS, () => void this.#run());
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** An engine whose health cannot be determined is no reason to stop. */
  async #run(): Promise<void> {
    try {
      await this.#check();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) {
        const message = `whether blocks arrive is unknown: ${messageOf(error)}`;
        this.#settings.log.error(message, { error });
      }
      this.#isFailing = true;
    }
    if (!this.#isStopped) this.start();
  }

  async #check(): Promise<void> {
    const { isSyncing, report } = this.#settings;
    const { checks } = await report();
    if (this.#isStopped) return;
    const failing = checks.filter(({ status }) => status !== "up");
    const head = failing.find(({ plugin, name }) => plugin === CORE && name === "head");
    if (head === undefined) this.#goesOn();
    else if (!isSyncing()) {
      const others = failing.filter((each) => each !== head && each.detail !== undefined);
      const reasons = others.map(({ plugin, detail }) => `${plugin}: ${detail}`);
      this.#standsStill([head.detail, ...reasons].join(". "));
    }
  }

  #standsStill(message: string): void {
    const { clock, log } = this.#settings;
    const now = clock.now();
    if (this.#warnedAt === undefined) {
      this.#warnedAt = now;
      log.warn(message);
    } else if (now >= (this.#errorAt ?? this.#warnedAt + ERROR_MS)) {
      this.#errorAt = now + AGAIN_MS;
      log.error(message);
    }
  }

  #goesOn(): void {
    if (this.#warnedAt === undefined) return;
    this.#settings.log.info("blocks arrive again");
    this.#warnedAt = undefined;
    this.#errorAt = undefined;
  }
}
