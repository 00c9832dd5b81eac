import type { Logger, Runtime } from "@plinth/core";
import { messageOf } from "@plinth/core";
import type { PluginInstance } from "@plinth/core/kernel";
import { findCulprit } from "@plinth/core/kernel";
import { withoutHint } from "../plugin/without-hint.js";

/** An error that no caller caught. */
export interface UncaughtError {
  readonly error: unknown;
  readonly kind: "exception" | "rejection";
}

/**
 * Reports an error that no caller caught, with the plugin it comes from; answers whether the node can go on.
 *
 * It can when the plugin is one the node can do without, and nothing else was left halfway: a rejection
 * leaves nothing, an exception has gone through every function on its stack.
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
