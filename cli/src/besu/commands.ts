import { ConfigError } from "@plinth/core";

/** Commands of Besu that are not implemented, by their first words, and what to use instead. */
const COMMANDS: Readonly<Record<string, string>> = {
  storage: "the database is LevelDB in one format; `plinth db` has its commands",
  "operator x-backup-state": "use `plinth db backup`",
  "operator x-restore-state": "use `plinth db restore`",
  txparse: "parsing single transactions is not implemented",
  evmtool: "running single programs is not implemented",
};

/** Throws for a command that Besu has and this program does not. */
export function verifyCommandBuilt(words: readonly string[]): void {
  const asked = words.filter((word) => !word.startsWith("-")).join(" ");
  const found = Object.keys(COMMANDS).find((id) => `${asked} `.startsWith(`${id} `));
  if (found === undefined) return;
  throw new ConfigError("COMMAND_NOT_BUILT", {
    message: `plinth ${found}: ${COMMANDS[found]}`,
    command: found,
  });
}
