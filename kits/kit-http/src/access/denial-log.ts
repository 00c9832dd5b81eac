import type { Clock, Logger } from "@plinth/core";

/** A denied caller. */
export interface Denial {
  readonly client: string | undefined;
  /** The name of the endpoint. */
  readonly listener: string;
  readonly reason: "unauthorized" | "limited" | "login" | "certificate";
  /** Only known names: callers can invent others, with line breaks in them. */
  readonly method?: string | undefined;
  readonly user?: string | undefined;
}

/** Maximum number of lines per second; the rest are counted in one more line. */
const MAX_PER_SECOND = 100;
const MAX_NAME = 64;

/** Logs a line for each denied caller, in a machine-readable form. */
export class DenialLog {
  readonly #log: Logger;
  readonly #clock: () => Clock;
  #second = 0;
  #written = 0;
  #left = 0;

  constructor(log: Logger, clock: () => Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Logs a line, unless there were too many in this second. */
  write({ client, listener, reason, method, user }: Denial): void {
    const second = Math.floor(this.#clock().now() / 1000);
    if (second !== this.#second) this.#beginSecond(second);
    if (this.#written >= MAX_PER_SECOND) {
      this.#left += 1;
      return;
    }
    this.#written += 1;
    this.#log.warn("denied", {
      client: client ?? "unknown",
      listener,
      reason,
      ...(method !== undefined && { method }),
      ...(user !== undefined && { user: nameForLog(user) }),
    });
  }

  #beginSecond(second: number): void {
    if (this.#left > 0)
      this.#log.warn("more calls were denied than are logged", { count: this.#left });
    this.#second = second;
    this.#written = 0;
    this.#left = 0;
  }
}

/** A name chosen by a caller, as one word of limited length. */
export function nameForLog(name: string): string {
  return name.slice(0, MAX_NAME).replace(/[^\w.@:+-]/g, "_");
}
