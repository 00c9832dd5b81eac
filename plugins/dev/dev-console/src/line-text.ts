import { printable } from "@plinth/kit-rpc";

/** A contract may revert with megabytes of text. */
const MAX_LENGTH = 4000;

/** A text as a log line: truncated, and without terminal control characters. */
export function lineText(text: string): string {
  const line = printable(text.slice(0, MAX_LENGTH));
  if (line.length <= MAX_LENGTH && text.length <= MAX_LENGTH) return line;
  return `${line.slice(0, MAX_LENGTH)}… (${text.length} characters)`;
}
