import type { Clock, Logger } from "@plinth/core";
import type { JoinedState } from "@plinth/core/chain";
import { shareBefore } from "./state/keys.js";

const EVERY_MS = 5_000;

/** Logs how much of a chain is read, how fast, and how long it will take. */
export class JoinProgress {
  readonly #log: Pick<Logger, "info">;
  readonly #clock: Pick<Clock, "now">;
  #nextAt: number;
  #start: { readonly kind: string; readonly at: number; readonly share: number } | undefined;
  #accounts = 0;
  #slots = 0;

  constructor({
    log,
    clock,
  }: { readonly log: Pick<Logger, "info">; readonly clock: Pick<Clock, "now"> }) {
    this.#log = log;
    this.#clock = clock;
    this.#nextAt = clock.now() + EVERY_MS;
  }

  /** Called when headers up to a block are read. */
  headers(number: bigint, last: bigint): void {
    this.#report("headers", Number(number) / Number(last), () => `${number} of ${last} headers`);
  }

  /** Called with each piece of the state. */
  state({ accounts }: JoinedState, key: Uint8Array): void {
    this.#accounts += accounts.length;
    for (const { slots } of accounts) this.#slots += slots.length;
    this.#report(
      "state",
      shareBefore(key),
      () => `state, ${this.#accounts} accounts and ${this.#slots} slots`,
    );
  }

  #report(kind: string, share: number, describe: () => string): void {
    const now = this.#clock.now();
    if (this.#start?.kind !== kind) this.#start = { kind, at: now, share };
    if (now < this.#nextAt) return;
    this.#nextAt = now + EVERY_MS;
    const rate = (share - this.#start.share) / ((now - this.#start.at) / 1000);
    const left = rate > 0 ? `, about ${Math.ceil((1 - share) / rate)} s left` : "";
    const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
    this.#log.info(
      `Joining by peers: ${describe()} (${percent(share)}, ${percent(rate)} per second${left})`,
    );
  }
}
