/** What can be read from a command line before any plugin is loaded. */
export interface EarlyOptions {
  /** Values of long options, as far as they are certain enough to find the configuration by. */
  readonly values: ReadonlyMap<string, string>;
  /** The words before the first sub-command. */
  readonly words: readonly string[];
}

/**
 * Looks for options before the sub-command without knowing which options there are.
 *
 * Plugins declare options and the configuration names plugins, so the configuration file must be
 * found first. A word right after `--name` counts as its value, any other word as the beginning of
 * the sub-command, whose own `--config-file` means something else.
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
