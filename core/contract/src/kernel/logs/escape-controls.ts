/** C0, C1 and bidirectional control characters, except line breaks and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Escapes control characters as `\\u001b`.
 *
 * Contracts, peers, callers and other nodes control parts of the output, and a terminal would
 * interpret them. Line breaks and tabs stay: error stacks contain them.
 */
export function escapeControls(text: string): string {
  const codeOf = (control: string) => control.charCodeAt(0).toString(16).padStart(4, "0");
  return text.replace(CONTROLS, (control) => `\\u${codeOf(control)}`);
}

/** The same for a text that must stay on one line. */
export function escapeLine(text: string): string {
  return escapeControls(text).replaceAll("\n", "\\n");
}
