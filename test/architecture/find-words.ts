import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Forbidden words and endings. */
export interface Vocabulary {
  /** Words and phrases, in any case. */
  readonly words: readonly string[];
  /** Forbidden endings of identifiers, case-sensitive. */
  readonly endings: readonly string[];
}

const FOLDERS = [
  "core",
  "cli",
  "create-plugin",
  "kits",
  "plugins",
  "examples",
  "test",
  "docs",
  "scripts",
];
const IS_TEXT = /\.(ts|mjs|md)$/;
/** Generated from the sources, a fixture of these tests, or recorded. */
const LEFT_OUT = [
  "docs/reference/",
  "test/architecture/fixtures/",
  "test/vectors/besu-",
  "test/vectors/privacy-live/",
];
/** The pages that list the words. */
const LISTS = ["docs/style.md", "test/architecture/vocabulary.test.ts"];

/** Uses of a vocabulary in the tracked files of a tree: one line each, with file, line and word. */
export function findWords(root: string, { words, endings }: Vocabulary): readonly string[] {
  const word = new RegExp(`\\b(?:${words.join("|")})\\b`, "gi");
  const identifier = new RegExp(`\\w*(?:${endings.join("|")})\\b`, "g");
  return trackedFiles(root)
    .filter(isChecked)
    .flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .flatMap((line, index) =>
          [...line.matchAll(word), ...line.matchAll(identifier)].map(
            ([found]) => `${path}:${index + 1}: ${found}`,
          ),
        ),
    );
}

/** How often any of some phrases occurs, by folder of the repository; `.` for the pages beside them. */
export function countPhrases(
  root: string,
  phrases: readonly string[],
): Readonly<Record<string, number>> {
  const phrase = new RegExp(`\\b(?:${phrases.join("|")})\\b`, "gi");
  const counts: Record<string, number> = {};
  for (const path of trackedFiles(root).filter(isChecked)) {
    const folder = path.includes("/") ? path.slice(0, path.indexOf("/")) : ".";
    const found = readFileSync(join(root, path), "utf8").match(phrase)?.length ?? 0;
    counts[folder] = (counts[folder] ?? 0) + found;
  }
  return counts;
}

function trackedFiles(root: string): readonly string[] {
  return execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");
}

function isChecked(path: string): boolean {
  const [folder = "", ...rest] = path.split("/");
  return (
    IS_TEXT.test(path) &&
    !path.endsWith("CHANGELOG.md") &&
    (FOLDERS.includes(folder) || (rest.length === 0 && path.endsWith(".md"))) &&
    !LISTS.includes(path) &&
    !LEFT_OUT.some((start) => path.startsWith(start))
  );
}
