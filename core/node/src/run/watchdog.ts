import type { Clock, Logger } from "@plinth/core";
import type { NamedHealth } from "@plinth/core/kernel";
import { type BlockedLoop, TapWatch, watchEventLoop } from "@plinth/core/kernel";

/** Reports what delays the node: slow taps, and work that blocks the event loop. */
export class Watchdog {
  readonly taps: TapWatch;
  readonly #log: Logger;
  #stopLoopWatch: () => void = () => {};

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#log = log;
    this.taps = new TapWatch(clock, ({ plugin, hook }) =>
      log.warn(`${plugin} has been running in ${hook} for more than a second`),
    );
  }

  start(): void {
    this.#stopLoopWatch = watchEventLoop((blocked) => this.#log.warn(describeBlocked(blocked)));
  }

  stop(): void {
    this.taps.stop();
    this.#stopLoopWatch();
  }

  /** One entry for each slow tap. */
  health(): readonly NamedHealth[] {
    return this.taps.slow().map(({ plugin, hook, seconds }) => {
      const detail = `has been running for ${Math.round(seconds)} s`;
      return { plugin, name: hook, status: "degraded", detail };
    });
  }
}

function describeBlocked({ ms, by }: BlockedLoop): string {
  const reason = by === undefined ? "" : ` by ${by.what} (${Math.round(by.ms)} ms)`;
  return `the event loop was blocked for ${Math.round(ms)} ms${reason}`;
}
