import type { Logger, Runtime } from "@plinth/core";
import { messageOf } from "@plinth/core";
import type { PluginInstance } from "@plinth/core/kernel";
import { findCulprit } from "@plinth/core/kernel";
import { withoutHint } from "../plugin/without-hint.js";

/** An uncaught error. */
export interface UncaughtError {
  readonly error: unknown;
  readonly kind: "exception" | "rejection";
}

/**
 * Reports an uncaught error with the plugin that caused it; returns whether the node can continue.
 *
 * It can if the plugin is not essential, and nothing else was interrupted: a rejection interrupts
 * nothing, an exception has unwound every function on its stack.
 */
export function survivesUncaught(
  { error, kind }: UncaughtError,
  instances: readonly PluginInstance<Runtime>[],
  log: Logger,
): boolean {
  const culprit = findCulprit(
    error,
    instances.map(({ plugin }) => plugin),
  );
  const instance = instances.find(({ name }) => name === culprit?.plugin);
  if (culprit === undefined || instance === undefined) {
    log.error(`unexpected error: ${messageOf(error)}`, { error });
    return false;
  }
  const { name } = instance;
  log.error(`uncaught error of ${name}: ${messageOf(error)}; ${withoutHint(name)}`, { error });
  instance.fail({ name: `uncaught ${kind}`, error });
  return !instance.essential && (kind === "rejection" || culprit.isAlone);
}
