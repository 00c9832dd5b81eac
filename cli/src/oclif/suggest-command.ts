import type { Interfaces } from "@oclif/core";
import { Plugin } from "@oclif/core/config";
import { PROGRAM_FOLDER } from "../program-package.js";

/** The exit code of oclif's plugin if nothing was chosen. */
const NOT_CHOSEN = 127;

/**
 * On a terminal, suggests the nearest command and runs it on confirmation; the result is its exit
 * code.
 *
 * Otherwise throws `error`.
 */
export async function suggestCommand(
  words: readonly string[],
  config: Interfaces.Config,
  error: unknown,
): Promise<number> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw error;
  const plugin = new Plugin({ name: "@oclif/plugin-not-found", root: PROGRAM_FOLDER });
  await plugin.load();
  config.plugins.set(plugin.name, plugin);
  const end = words.findIndex((word) => word.startsWith("-"));
  const id = (end < 0 ? words : words.slice(0, end)).join(":");
  const argv = end < 0 ? [] : words.slice(end);
  const { successes, failures } = await config.runHook(
    "command_not_found",
    { id, argv: [...argv] },
    undefined,
    true,
  );
  const [failure] = failures;
  if (failure !== undefined) throw isNotChosen(failure.error) ? error : failure.error;
  return Number(successes[0]?.result ?? 0);
}

function isNotChosen(error: Error): boolean {
  return "oclif" in error && Object(error.oclif).exit === NOT_CHOSEN;
}
