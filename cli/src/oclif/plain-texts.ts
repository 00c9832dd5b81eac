import type { Command, Interfaces } from "@oclif/core";

const ID = /^[\w:.-]+$/;
const NAME = /^[\w-]+$/;

/**
 * Removes from a plugin what a shell would execute: oclif's scripts have summaries in quotes that
 * do not stop `$`.
 *
 * Commands, flags and values whose names need quoting in a shell are not completed.
 */
export function makePlain(plugin: Interfaces.Plugin): void {
  plugin.commands = plugin.commands.filter(({ id }) => ID.test(id)).map(toPlain);
  const topics = plugin.topics
    .filter(({ name }) => ID.test(name))
    .map((topic) => ({ ...topic, ...textsOf(topic) }));
  // One of oclif's has no setter.
  Object.defineProperty(plugin, "topics", { value: topics });
}

function toPlain(command: Command.Loadable): Command.Loadable {
  const flags = Object.entries(command.flags)
    .filter(([name]) => NAME.test(name))
    .map(([name, flag]) => [name, { ...flag, ...textsOf(flag), ...valuesOf(flag) }]);
  return {
    ...command,
    ...textsOf(command),
    aliases: command.aliases.filter((alias) => ID.test(alias)),
    flags: Object.fromEntries(flags),
  };
}

function textsOf({
  summary,
  description,
}: {
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
}) {
  return {
    ...(summary === undefined ? {} : { summary: plain(summary) }),
    ...(description === undefined ? {} : { description: plain(description) }),
  };
}

function valuesOf(flag: object) {
  const { options } = flag as { readonly options?: readonly string[] };
  return options === undefined ? {} : { options: options.filter((value) => ID.test(value)) };
}

/** PowerShell treats typographic quotes as its own. */
function plain(text: string): string {
  return text.replaceAll(/[$`\\]/g, "").replaceAll(/[“”„]/g, '"');
}
