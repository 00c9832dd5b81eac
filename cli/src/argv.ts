import { ConfigError } from "@plinth/core";
import { closestTo, suggestionHints } from "@plinth/core/kernel";

/** The command requested after the node's options. */
export type Wanted =
  | { readonly kind: "group"; readonly words: string; readonly rest: readonly string[] }
  | { readonly kind: "command"; readonly id: string; readonly rest: readonly string[] };

/** Finds a command by its words: `rlp encode --to=x` → `rlp encode` and its own arguments. */
export function findCommand(words: readonly string[], ids: ReadonlySet<string>): Wanted {
  let path = "";
  for (const [index, word] of words.entries()) {
    const next = path === "" ? word : `${path} ${word}`;
    const rest = words.slice(index + 1);
    const goesOn = rest[0] !== undefined && hasCommand(ids, `${next} ${rest[0]}`);
    if (ids.has(next) && !goesOn) return { kind: "command", id: next, rest };
    if (!hasCommand(ids, next)) {
      if (word.startsWith("-")) return { kind: "group", words: path, rest: words.slice(index) };
      throw unmatched(index, word, path, [...ids]);
    }
    path = next;
  }
  return { kind: "group", words: path, rest: [] };
}

/** Whether words name a command or a group of commands: `up` is both. */
function hasCommand(ids: ReadonlySet<string>, words: string): boolean {
  return [...ids].some((id) => id === words || id.startsWith(`${words} `));
}

/** The error for a word that no command below `path` has. */
export function unmatched(
  index: number,
  word: string,
  path: string,
  ids: readonly string[],
): ConfigError {
  const prefix = path === "" ? "" : `${path} `;
  const below = ids
    .filter((id) => id.startsWith(prefix))
    .map((id) => id.slice(prefix.length).split(" ")[0] ?? "");
  const words = path === "" ? ["help", ...below] : below;
  return new ConfigError("COMMAND_UNKNOWN", {
    message: `Unmatched argument at index ${index}: '${word}'`,
    hints: suggestionHints(closestTo(word, [...new Set(words)])),
  });
}
