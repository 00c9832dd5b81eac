// Figures of a release, kept as JSON, and the page and plot that are made of them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = join(ROOT, "docs/benchmarks");
const BAR_HEIGHT = 22;
const LABEL_WIDTH = 380;
const PLOT_WIDTH = 340;
/** Ratios beyond it are cut off in the plot; the table has them. */
const MAX_RATIO = 4;

/** Replaces the rows of the current release that were measured, and writes the page and the plot. */
export function saveResults(rows, folder = FOLDER) {
  const { version } = JSON.parse(readFileSync(join(ROOT, "lerna.json"), "utf8"));
  const path = join(folder, `${version}.json`);
  const kept = readRows(path).filter(({ what }) => !rows.some((row) => row.what === what));
  const all = [...kept, ...rows].sort((a, b) => a.what.localeCompare(b.what, "en"));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(all, undefined, 2)}\n`);
  for (const [name, text] of Object.entries(renderBenchmarks(readReleases(folder)))) {
    writeFileSync(join(folder, name), text);
  }
}

/** The figures of every release, the latest first. */
export function readReleases(folder = FOLDER) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
    .map((name) => ({ release: name.replace(/\.json$/, ""), rows: readRows(join(folder, name)) }));
}

/** The page and one plot for each release, by file name. */
export function renderBenchmarks(releases) {
  const plots = releases.map(({ release, rows }) => [`${release}.svg`, plot(release, rows)]);
  return { ...Object.fromEntries(plots), "index.md": page(releases) };
}

function readRows(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

function page(releases) {
  return [
    "# Benchmarks",
    "",
    "Hot paths beside a peer in the same run, with `npm run bench -- --save`: a ratio of 2 is twice the figure of the peer. Only",
    "ratios mean something: the absolute figures are those of one machine. The last column is the bound that a release keeps to.",
    "",
    "Rows in µs are steps of a request (`npm run bench stages`): processor time, beside that of one pass of a fixed piece of work.",
    ...releases.flatMap(({ release, rows }) => [
      "",
      `## ${release}`,
      "",
      `![Ratios of ${release}](./${release}.svg)`,
      "",
      "| What | Plinth | Peer | Ratio | Bound |",
      "| --- | --- | --- | --- | --- |",
      ...rows.map(
        ({ what, ours, peer, ratio, bound }) =>
          `| ${what} | ${ours} | ${peer} | ${ratio.toFixed(2)} | ${bound} |`,
      ),
    ]),
    "",
  ].join("\n");
}

/** Rows without a bound are in the table only. */
function plot(release, all) {
  const rows = all.filter(({ bound }) => bound !== "");
  const height = 40 + rows.length * BAR_HEIGHT;
  const width = LABEL_WIDTH + PLOT_WIDTH + 60;
  const toX = (ratio) => LABEL_WIDTH + (Math.min(ratio, MAX_RATIO) / MAX_RATIO) * PLOT_WIDTH;
  const bars = rows.flatMap(({ what, ratio }, index) => {
    const y = 30 + index * BAR_HEIGHT;
    return [
      `<text x="${LABEL_WIDTH - 8}" y="${y + 14}" text-anchor="end">${escapeXml(what)}</text>`,
      `<rect x="${LABEL_WIDTH}" y="${y + 3}" width="${(toX(ratio) - LABEL_WIDTH).toFixed(1)}" height="14" fill="#5672cd"/>`,
      `<text x="${(toX(ratio) + 6).toFixed(1)}" y="${y + 14}">${ratio.toFixed(2)}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img" font-family="sans-serif" font-size="12" fill="#57606a">`,
    `<title>Ratios of ${release}: Plinth to its peer</title>`,
    ...bars,
    `<line x1="${toX(1)}" y1="22" x2="${toX(1)}" y2="${height - 6}" stroke="#cf222e" stroke-dasharray="4 3"/>`,
    `<text x="${toX(1)}" y="16" text-anchor="middle">as the peer</text>`,
    "</svg>\n",
  ].join("\n");
}

function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
