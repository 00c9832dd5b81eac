import { findEarly } from "../early-options.js";

/** A request for help. */
export interface AskedHelp {
  /** A group of options, a command, or `all`; the overview by default. */
  readonly about?: string;
  /** The command line without the request for help, including `about` and what follows it. */
  readonly others: readonly string[];
}

const FORMS = ["-h", "--help"];

/**
 * Whether a command line requests the help of the program: `help …`, `--help`, `--help=GROUP`,
 * `--help GROUP`.
 */
export function findHelp(argv: readonly string[]): AskedHelp | undefined {
  if (argv[0] === "help") return toAsked(argv.slice(1), []);
  const { words } = findEarly(argv);
  const place = words.findIndex((word) => FORMS.includes(word) || word.startsWith("--help="));
  if (place < 0) return undefined;
  const inline = words[place]?.split("=").slice(1).join("=") ?? "";
  const after = argv.slice(place + 1);
  return toAsked(inline === "" ? after : [inline, ...after], argv.slice(0, place));
}

function toAsked(after: readonly string[], before: readonly string[]): AskedHelp {
  const [about] = after;
  const others = [...before, ...after];
  return about === undefined || about.startsWith("-") ? { others } : { about, others };
}
