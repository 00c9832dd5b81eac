const CELL = { width: 7.8, height: 18 };
const MARGIN = 16;
const TITLE_HEIGHT = 28;
const COLUMNS = 104;

/** Colors of lines, by the first pattern that matches. */
const STYLES: readonly (readonly [pattern: RegExp, color: string])[] = [
  [/^\$ /, "#7ee787"],
  [/revert|never send/, "#ffa198"],
  [/^(#\d|block \d)/, "#79c0ff"],
  [/console\.log/, "#d2a8ff"],
];

/** Draws the output of a program as a picture of a terminal, with long hashes abbreviated. */
export function terminalSvg(title: string, output: string): string {
  const lines = output.trimEnd().split("\n").map(abbreviate);
  const width = Math.round(COLUMNS * CELL.width + 2 * MARGIN);
  const height = TITLE_HEIGHT + lines.length * CELL.height + 2 * MARGIN;
  const font = 'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13"';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map(
      (color, index) => `<circle cx="${20 + index * 18}" cy="18" r="5.5" fill="${color}"/>`,
    ),
    `<text x="${width / 2}" y="22" text-anchor="middle" fill="#8b949e" ${font}>${escapeXml(title)}</text>`,
    `<g ${font}>`,
    ...lines.map((line, index) => {
      const y = TITLE_HEIGHT + MARGIN + index * CELL.height + 8;
      return `<text x="${MARGIN}" y="${y}" fill="${colorOf(line)}">${escapeXml(line)}</text>`;
    }),
    "</g>",
    "</svg>\n",
  ].join("\n");
}

function abbreviate(line: string): string {
  const short = line.replace(/0x([0-9a-f]{4})[0-9a-f]{56}([0-9a-f]{4})/g, "0x$1…$2");
  return short.length > COLUMNS ? `${short.slice(0, COLUMNS - 1)}…` : short;
}

function colorOf(line: string): string {
  return STYLES.find(([pattern]) => pattern.test(line))?.[1] ?? "#c9d1d9";
}

function escapeXml(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  // Browsers collapse ordinary spaces in pictures.
  return escaped.replaceAll(" ", "\u00a0");
}
