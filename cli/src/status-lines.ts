import type { StatusLine } from "@plinth/core/cli";

const CLEAR_LINE = "\r\u001b[2K";
const CLEAR_LINE_ABOVE = "\u001b[1A\u001b[2K";
const USUAL_COLUMNS = 80;

/**
 * Lines at the end of a terminal that are overwritten; on standard error, so that the output stays
 * intact.
 */
export function createStatus(
  terminal: Pick<NodeJS.WriteStream, "columns"> & { write(text: string): unknown },
): StatusLine {
  let linesAbove = 0;
  const erase = () => `${CLEAR_LINE}${CLEAR_LINE_ABOVE.repeat(linesAbove)}`;
  return {
    get columns() {
      return terminal.columns ?? USUAL_COLUMNS;
    },
    show(text) {
      terminal.write(`${erase()}${text}`);
      linesAbove = text.split("\n").length - 1;
    },
    clear() {
      terminal.write(erase());
      linesAbove = 0;
    },
  };
}
