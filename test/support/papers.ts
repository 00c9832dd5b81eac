import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CONFORMANCE } from "./conformance.js";

/** A page of the specification, which is beside the suites. */
export function readPaper(name: string): string {
  return readFileSync(join(CONFORMANCE, "../spec", name), "utf8");
}

/** The text under a heading, up to the next one of the same or a higher level. */
export function sectionOf(paper: string, heading: string): string {
  const start = paper.indexOf(`\n${heading}`);
  if (start < 0) throw new Error(`there is no "${heading}"`);
  const depth = /^#+/.exec(heading)?.[0].length ?? 1;
  const rest = paper.slice(start + heading.length + 1);
  const end = rest.search(new RegExp(`\\n#{1,${depth}} `));
  return end < 0 ? rest : rest.slice(0, end);
}

/** The rows of the first table of a text, without its head; each cell trimmed. */
export function rowsOf(text: string): readonly (readonly string[])[] {
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
