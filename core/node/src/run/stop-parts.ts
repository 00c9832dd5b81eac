import { type Clock, type Logger, messageOf } from "@plinth/core";
import { within } from "@plinth/core/kernel";
import { PHASE_LIMIT_MS } from "../plugin/phase-limit.js";
import type { Watchdog } from "./watchdog.js";

/** The dependencies of stopping parts of a node. */
export interface StopSettings {
  readonly clock: Clock;
  readonly log: Logger;
}

/** Peers are disconnected before plugins stop, so that no session uses a stopped plugin. */
export async function stopNetwork(
  network: { stop(): Promise<void> } | undefined,
  { clock, log }: StopSettings,
): Promise<void> {
  try {
    const stopped = network?.stop() ?? Promise.resolve();
    if ((await within(clock, PHASE_LIMIT_MS, stopped)).done) return;
    log.warn("the network driver did not shut down cleanly");
  } catch (error) {
    log.error(`the network failed to stop: ${messageOf(error)}`, { error });
  }
}

/** The block in progress may wait for a plugin that never returns. */
export async function awaitProduction(
  produced: Promise<boolean> | undefined,
  { clock, log, watchdog }: StopSettings & { readonly watchdog: Watchdog },
): Promise<void> {
  if (produced === undefined) return;
  if ((await within(clock, PHASE_LIMIT_MS, produced)).done) return;
  const taps = watchdog.taps.slow().map(({ plugin, hook }) => `${plugin} in ${hook}`);
  log.warn(`abandoned the block being built: ${taps.join(", ") || "it"} did not finish`);
}
