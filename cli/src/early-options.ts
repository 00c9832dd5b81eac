/** What can be read from a command line before any plugin is loaded. */
export interface EarlyOptions {
  /** Values of long options, reliable enough to find the configuration. */
  readonly values: ReadonlyMap<string, string>;
  /** The arguments before the first subcommand. */
  readonly words: readonly string[];
}

/**
 * Finds options before the subcommand without knowing which options exist.
 *
 * Plugins declare options and the configuration lists plugins, so the configuration file must be
 * found first. An argument right after `--name` counts as its value, any other as the beginning of
 * the subcommand, whose own `--config-file` has another meaning.
 */
export function findEarly(argv: readonly string[]): EarlyOptions {
  const values = new Map<string, string>();
  const words: string[] = [];
  let open: string | undefined;
  for (const word of argv) {
    const match = /^--([^=]+)(?:=(.*))?$/s.exec(word);
    if (match === null && open === undefined && !word.startsWith("-")) break;
    words.push(word);
    if (match === null) {
      if (open !== undefined) values.set(open, word);
      open = undefined;
      continue;
    }
    const [, name = "", value] = match;
    open = value === undefined ? name : undefined;
    if (value !== undefined) values.set(name, value);
  }
  return { values, words };
}
