import type { Clock, Logger } from "@plinth/core";
import { InvariantError, messageOf, StorageError } from "@plinth/core";
import { Signal } from "@plinth/core/async";
import type { BlockProduction } from "@plinth/core/consensus";
import type { NamedHealth } from "@plinth/core/kernel";
import { PluginError } from "@plinth/core/kernel";
import { CORE } from "../plugin/prepare.js";
import { withoutHint } from "../plugin/without-hint.js";

/** The dependencies of production. */
export interface ProductionSettings {
  readonly produce: (signal: AbortSignal) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
  /**
   * Called when production has ended permanently: the storage cannot be written, or an invariant is
   * broken.
   */
  readonly failed: (error: unknown) => void;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Lets the engine produce blocks until `stop`; it can be started again.
 *
 * A failure pauses production; it is retried with increasing pauses until a block is produced.
 */
export class Production implements BlockProduction {
  readonly #settings: ProductionSettings;
  #underWay: { readonly control: AbortController; readonly done: Promise<void> } | undefined;
  /** Why no block could be produced recently. */
  #trouble: string | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #hold: object | undefined;
  readonly #released = new Signal();
  /** Aborts when a hold begins. */
  #holding = new AbortController();

  constructor(settings: ProductionSettings) {
    this.#settings = settings;
  }

  get isRunning(): boolean {
    return this.#underWay !== undefined;
  }

  /** Starts production; does nothing if it is running. */
  start(): void {
    if (this.isRunning) return;
    const control = new AbortController();
    this.#underWay = { control, done: this.#run(control.signal) };
  }

  /** Stops after the block in progress; returns whether it was running. */
  async stop(): Promise<boolean> {
    const underWay = this.#underWay;
    if (underWay === undefined) return false;
    underWay.control.abort();
    await underWay.done;
    return true;
  }

  /**
   * Suspends production until the returned function is called, as while the node is behind its
   * peers.
   *
   * `isRunning` keeps reporting the operator's choice. One hold at a time.
   */
  hold(): () => void {
    if (this.#hold !== undefined) throw new InvariantError("production is already suspended");
    const hold = {};
    this.#hold = hold;
    this.#holding.abort();
    return () => {
      if (this.#hold !== hold) return;
      this.#hold = undefined;
      this.#holding = new AbortController();
      this.#released.notify();
    };
  }

  /** A block was produced: the failure is over. */
  blockMade(): void {
    if (this.#trouble === undefined) return;
    this.#trouble = undefined;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#settings.log.info("block production has resumed");
  }

  /** Whether blocks can be produced; nothing before production has failed. */
  health(): readonly NamedHealth[] {
    if (this.#trouble === undefined) return [];
    const detail = `paused: ${this.#trouble}`;
    return [{ plugin: CORE, name: "production", status: "degraded", detail }];
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        if (this.#hold !== undefined) await this.#released.nextWithin({ signal });
        const holding = this.#holding.signal;
        const hasEnded = await this.#produce(AbortSignal.any([signal, holding]));
        if (hasEnded && !holding.aborted) return;
      }
    } finally {
      this.#underWay = undefined;
    }
  }

  /** Returns whether production has ended; after a failure it has not, and the pause is over. */
  async #produce(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#settings.produce(signal);
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      if (error instanceof StorageError || error instanceof InvariantError) {
        this.#settings.failed(error);
        return true;
      }
      await this.#pause(error, signal);
      return false;
    }
  }

  async #pause(error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#settings;
    const pauseMs = this.#pauseMs;
    const message = messageOf(error);
    const hint = error instanceof PluginError ? `; ${withoutHint(error.plugin)}` : "";
    const line = `block production is paused: ${message}; next attempt in ${pauseMs / 1000} s${hint}`;
    // Logged once for each reason, not at each attempt.
    if (this.#trouble === message) log.debug(line);
    else log.error(line, { error });
    this.#trouble = message;
    this.#pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    await clock.sleep(pauseMs, signal).catch(() => {});
  }
}
