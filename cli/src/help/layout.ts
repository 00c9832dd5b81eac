/** Maximum width of help. */
export const WIDTH = 100;

const INDENT = "  ";
const GAP = "      ";

/** A name with its description on the lines below. */
export function formatEntry(head: string, text: string): string {
  const lines = wrap(text, WIDTH - GAP.length).map((line) => `${GAP}${line}`);
  return [...wrap(head, WIDTH - INDENT.length).map((line) => `${INDENT}${line}`), ...lines].join(
    "\n",
  );
}

/**
 * Names and texts in two columns, a line each; a text that is too long ends after a clause or with
 * `…`.
 */
export function formatColumns(rows: readonly (readonly [name: string, text: string])[]): string {
  const widest = Math.max(...rows.map(([name]) => name.length));
  const room = WIDTH - INDENT.length * 2 - widest;
  return rows
    .map(([name, text]) =>
      `${INDENT}${name.padEnd(widest)}${INDENT}${shorten(text, room)}`.trimEnd(),
    )
    .join("\n");
}

/** Lines below a title. */
export function formatLines(title: string, lines: readonly string[]): string {
  return [title, ...lines.map((line) => `${INDENT}${line}`)].join("\n");
}

/** The lines of a text; a word longer than a line is broken after its commas. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const { part, glue } of toParts(text, width)) {
    if (line !== "" && line.length + glue.length + part.length > width) {
      lines.push(line);
      line = part;
    } else line = line === "" ? part : `${line}${glue}${part}`;
  }
  return [...lines, line];
}

/** The parts that may be on a separate line, with what joins them to the previous part. */
function toParts(text: string, width: number) {
  return text.split(" ").flatMap((word) => {
    const parts = word.length > width ? word.split(/(?<=[,|])/) : [word];
    return parts.map((part, index) => ({ part, glue: index === 0 ? " " : "" }));
  });
}

/** The first clauses of a text that fit. */
function shorten(text: string, room: number): string {
  if (text.length <= room) return text;
  const fitting = text.slice(0, room + 1);
  const end = Math.max(...[". ", "; ", ": ", ", "].map((mark) => fitting.lastIndexOf(mark)));
  if (end > room / 3) return text.slice(0, end);
  return `${text.slice(0, fitting.slice(0, room - 1).lastIndexOf(" "))} …`;
}
