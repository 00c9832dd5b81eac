import type { Clock, Logger, Runtime } from "@plinth/core";
import { messageOf } from "@plinth/core";
import type { PluginInstance } from "@plinth/core/kernel";
import { PluginError, within } from "@plinth/core/kernel";
import { PHASE_LIMIT_MS } from "../plugin/phase-limit.js";
import { failedIn } from "../plugin/registries.js";
import { withoutHint } from "../plugin/without-hint.js";

/** Runs `onStart` of a plugin; throws its error, or on timeout. */
export async function startInstance(
  { name, plugin, starts, runtime }: PluginInstance<Runtime>,
  clock: Clock,
): Promise<void> {
  if (runtime === undefined) return;
  const work = (async () => {
    for (const start of starts) await start(runtime);
  })();
  try {
    if ((await within(clock, PHASE_LIMIT_MS, work)).done) return;
  } catch (error) {
    throw failedIn(plugin, "onStart", error);
  }
  throw new PluginError("PLUGIN_TIMEOUT", {
    message: `${name} did not finish onStart within ${PHASE_LIMIT_MS / 1000} s`,
    plugin: name,
    hints: [withoutHint(name)],
  });
}

/**
 * Runs `onStop` of a plugin and waits for its tasks; failures and timeouts are logged and ignored.
 */
export async function stopInstance(
  { name, stops, tasks }: PluginInstance<Runtime>,
  clock: Clock,
  log: Logger,
): Promise<void> {
  const work = (async () => {
    for (const stop of stops.splice(0)) {
      try {
        await stop();
      } catch (error) {
        log.error(`${name} failed in onStop: ${messageOf(error)}`, { error });
      }
    }
    await tasks.ended();
  })();
  const { done } = await within(clock, PHASE_LIMIT_MS, work);
  if (!done) log.warn(`Service ${name} did not shut down cleanly`);
}
