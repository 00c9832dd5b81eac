import type { DeclaredOption } from "@plinth/core/kernel";
import { formatColumns, formatLines, WIDTH, wrap } from "./layout.js";
import type { ListedCommand } from "./listed-command.js";
import { groupsOf } from "./option-groups.js";

/** The options people set first, in the order they need them. */
const FIRST_OPTIONS = [
  "config-file",
  "profile",
  "data-path",
  "genesis-file",
  "network",
  "sync-mode",
  "bootnodes",
  "p2p-host",
  "p2p-port",
  "rpc-http-enabled",
  "rpc-http-host",
  "rpc-http-port",
  "rpc-http-api",
  "rpc-http-cors-origins",
  "rpc-ws-enabled",
  "host-allowlist",
  "min-gas-price",
  "metrics-enabled",
  "logging",
];

/** The help on one screen: commands, the options people set first, and where the others are. */
export function formatOverview(
  options: readonly DeclaredOption[],
  commands: readonly ListedCommand[],
): string {
  const first = FIRST_OPTIONS.flatMap((name) => options.filter((each) => each.name === name));
  return [
    "Usage: plinth [OPTIONS] [COMMAND]\nAn Ethereum node for private networks, assembled from plugins.",
    `Commands (plinth COMMAND --help):\n${formatColumns(listTopics(commands))}`,
    `Options:\n${formatColumns([
      ...first.map((each): [string, string] => [shortForm(each), each.option.summary]),
      ["-V, --version", "Shows the version of the program and of its plugins."],
    ])}`,
    formatLines(
      "More options: --help=all for all of them, or --help=GROUP; the groups:",
      wrap(groupsOf(options).join(" "), WIDTH - 2),
    ),
    "",
  ].join("\n\n");
}

/** An option on one line: one name, and a choice or a list as a word. */
function shortForm({ name, option: { kind } }: DeclaredOption): string {
  if (kind.arity === "flag") return `--${name}`;
  const [value = ""] = /^<[^>|]*>/.exec(kind.placeholder) ?? ["<CHOICE>"];
  return `--${name}=${value}`;
}

/**
 * The first words of all commands, with the summary of the command or, for a topic, the words that
 * may follow.
 */
function listTopics(commands: readonly ListedCommand[]): readonly [string, string][] {
  const topics = [...new Set(commands.map(({ id }) => firstOf(id)))].sort();
  return topics.map((topic) => {
    const own = commands.find(({ id }) => id === topic);
    if (own !== undefined) return [topic, own.summary];
    const below = commands
      .filter(({ id }) => firstOf(id) === topic)
      .map(({ id }) => id.split(" ")[1]);
    return [topic, [...new Set(below)].sort().join(", ")];
  });
}

function firstOf(id: string): string {
  return id.split(" ", 1)[0] ?? "";
}
