import { printable } from "@plinth/kit-rpc";

/** A contract may revert with megabytes of text. */
const MAX_LENGTH = 4000;

/** A text as a line of the log: not too long, and without what controls a terminal. */
export function lineText(text: string): string {
  const line = printable(text.slice(0, MAX_LENGTH));
  if (line.length <= MAX_LENGTH && text.length <= MAX_LENGTH) return line;
  return `${line.slice(0, MAX_LENGTH)}… (${text.length} characters)`;
}
