/** C0 including line breaks, C1 and bidirectional control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** A text of a contract on one line of a terminal: control characters are escaped as `\u001b`. */
export function printable(text: string): string {
  return text.replace(CONTROLS, (control) =>
    control === "\n" ? "\\n" : `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
