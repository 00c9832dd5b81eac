import { escapeLine } from "@plinth/core/kernel";

const MAX_CHARACTERS = 2_000;

/** A message with texts of another node, such as names and reasons: on one line of a terminal, and not longer than that. */
export function shown(message: string): string {
  const isLong = message.length > MAX_CHARACTERS;
  return escapeLine(isLong ? `${message.slice(0, MAX_CHARACTERS)}…` : message);
}
