import { type AnyCommand, type DeclaredOption, toOptionName } from "@plinth/core";

/** Shells that completion is written for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** A shell. */
export type Shell = (typeof SHELLS)[number];

/** What can be completed. */
export interface CompletionContent {
  readonly options: readonly Pick<DeclaredOption, "name" | "option">[];
  readonly commands: readonly Pick<AnyCommand, "id" | "summary" | "flags">[];
}

/** Words that may follow others, with what they mean. */
interface Follow {
  /** The command words before, such as `rlp`; nothing at the beginning. */
  readonly after: string;
  readonly words: readonly { readonly word: string; readonly summary: string }[];
}

/** A script that completes commands, options and flags in a shell. */
export function formatCompletion(shell: Shell, content: CompletionContent): string {
  const follows = listFollows(content);
  if (shell === "fish") return formatFish(follows);
  return shell === "zsh"
    ? `autoload -U +X bashcompinit && bashcompinit\n${formatBash(follows)}`
    : formatBash(follows);
}

function listFollows({ options, commands }: CompletionContent): readonly Follow[] {
  const top = options.map(({ name, option }) => ({ word: `--${name}`, summary: option.summary }));
  const paths = new Set(commands.flatMap(({ id }) => prefixesOf(id)));
  return ["", ...paths].map((after) => ({
    after,
    words: [...nextWords(after, commands), ...(after === "" ? top : flagsOf(after, commands))],
  }));
}

/** `rlp encode` → `rlp`, `rlp encode`. */
function prefixesOf(id: string): readonly string[] {
  const words = id.split(" ");
  return words.map((_, index) => words.slice(0, index + 1).join(" "));
}

function nextWords(after: string, commands: CompletionContent["commands"]): Follow["words"] {
  const depth = after === "" ? 0 : after.split(" ").length;
  const found = new Map<string, string>();
  for (const { id, summary } of commands) {
    const words = id.split(" ");
    const next = words[depth];
    if (next === undefined || words.slice(0, depth).join(" ") !== after) continue;
    const isWhole = words.length === depth + 1;
    if (isWhole || !found.has(next)) found.set(next, isWhole ? summary : `${next} commands`);
  }
  return [...found].map(([word, summary]) => ({ word, summary }));
}

function flagsOf(id: string, commands: CompletionContent["commands"]): Follow["words"] {
  const flags = commands.find((each) => each.id === id)?.flags ?? {};
  return Object.entries(flags).map(([key, { summary }]) => ({
    word: `--${toOptionName(key)}`,
    summary,
  }));
}

/**
 * The words of commands on the line so far choose the list; options and their values are passed over.
 *
 * zsh runs the same script, in which `path` and `words` would be variables of its own.
 */
function formatBash(follows: readonly Follow[]): string {
  const cases = follows.map(
    ({ after, words }) => `    "${after}") offered="${words.map(({ word }) => word).join(" ")}" ;;`,
  );
  const paths = follows.filter(({ after }) => after !== "").map(({ after }) => `"${after}"`);
  return [
    "# Completion of plinth; made by `plinth generate-completion`.",
    "_plinth() {",
    '  local offered command="" word',
    `  local current=\${COMP_WORDS[COMP_CWORD]}`,
    `  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do`,
    `    case "\${command:+$command }$word" in`,
    `      ${paths.join("|")}) command="\${command:+$command }$word" ;;`,
    "    esac",
    "  done",
    '  case "$command" in',
    ...cases,
    "  esac",
    '  COMPREPLY=($(compgen -W "$offered" -- "$current"))',
    `  if [[ \${#COMPREPLY[@]} -eq 0 ]]; then COMPREPLY=($(compgen -f -- "$current")); fi`,
    "}",
    "complete -F _plinth plinth",
  ].join("\n");
}

function formatFish(follows: readonly Follow[]): string {
  const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = follows.flatMap(({ after, words }) =>
    words.map(({ word, summary }) => {
      const condition = quote(`test (__plinth_path) = ${quote(after)}`);
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c plinth -n ${condition} ${what} -d ${quote(summary)}`;
    }),
  );
  const paths = follows.filter(({ after }) => after !== "").map(({ after }) => quote(after));
  return [
    "# Completion of plinth; made by `plinth generate-completion`.",
    "function __plinth_path",
    "  set -l path ''",
    "  for word in (commandline -opc)[2..-1]",
    '    set -l next (string trim -- "$path $word")',
    `    contains -- "$next" ${paths.join(" ")}; and set path $next`,
    "  end",
    '  echo "$path"',
    "end",
    ...lines,
  ].join("\n");
}
