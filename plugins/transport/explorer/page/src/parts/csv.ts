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

/** A cell that a spreadsheet neither splits nor runs as a formula. */
export function formatCell(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-?[\d.,]+$/.test(text);
  return `"${`${isFormula ? "'" : ""}${text}`.replaceAll('"', '""')}"`;
}
