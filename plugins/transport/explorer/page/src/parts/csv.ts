/** Saves rows as a file that spreadsheets open. */
export function saveCsv(name: string, rows: readonly (readonly string[])[]): void {
  const text = rows.map((row) => row.map(formatCell).join(",")).join("\r\n");
  const url = URL.createObjectURL(new Blob([`${text}\r\n`], { type: "text/csv" }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = `${name}.csv`;
  anchor.click();
  URL.revokeObjectURL(url);
}

/**
 * Where a spreadsheet would begin a formula, also written in wide letters: at the start, and after what separates cells
 * in other countries, since quotes count at the start of a cell only.
 */
const FORMULA = /(^|[;\t\r\n])(?= *[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** A cell that a spreadsheet neither splits nor runs as a formula. */
export function formatCell(text: string): string {
  const isNumber = /^-?[\d.,]+$/.test(text);
  const safe = isNumber ? text : text.replace(FORMULA, "$1'");
  return `"${safe.replaceAll('"', '""')}"`;
}
