import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** An export of a package, with the first sentence of its comment. */
export interface PublicName {
  readonly name: string;
  readonly kind: string;
  readonly summary: string;
  /** Of a function: its name, parameters and result. */
  readonly signature: string;
}

/** An import target of plugins: the package, or one of its sub-paths. */
export interface PublicEntry {
  readonly specifier: string;
  /** Its source, relative to the package folder. */
  readonly source: string;
  readonly names: readonly PublicName[];
}

const EXPORTS = /export (type )?\{([^}]+)\} from "(\.[^"]+)";/g;

/** All exports of a package, by entry; workers and files are not entries. */
export function readPublicEntries(folder: string): readonly PublicEntry[] {
  const { name, exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.entries<{ readonly source?: string }>(exports).flatMap(([path, { source }]) =>
    source === undefined
      ? []
      : [{ specifier: join(name, path), source, names: readNames(join(folder, source)) }],
  );
}

/** The re-exports of an entry file, read from the files that define them. */
function readNames(entry: string): readonly PublicName[] {
  const text = readFileSync(entry, "utf8");
  const names = [...text.matchAll(EXPORTS)].flatMap(([, , list = "", from = ""]) => {
    const source = readFileSync(join(dirname(entry), from.replace(/\.js$/, ".ts")), "utf8");
    const words = list.split(",").map((word) => word.trim().replace(/^type /, ""));
    return words.filter(Boolean).map((name) => describe(name, source));
  });
  return names.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

function describe(name: string, source: string): PublicName {
  const definition = new RegExp(
    `(?:/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*)?export (?:declare |abstract |async )*(class|function|interface|type|const)\\*? ${name}\\b`,
  ).exec(source);
  const comment = (definition?.[1] ?? "").replace(/^\s*\*\s?/gm, "").trim();
  const sentence =
    comment
      .split(/\n\s*\n/)[0]
      ?.replace(/\s+/g, " ")
      .trim() ?? "";
  const kind = definition?.[2] ?? "";
  return {
    name,
    kind,
    summary: sentence,
    signature: kind === "function" ? signatureOf(name, source) : "",
  };
}

/** `forkIdAt(points: ForkPoints, head: SealedHeader): ForkId`. */
function signatureOf(name: string, source: string): string {
  const found = new RegExp(
    `export (?:async )?function\\*? (${name}\\b[\\s\\S]*?)(?: \\{\\n|;\\n)`,
  ).exec(source);
  return (found?.[1] ?? name).replace(/\s+/g, " ").replace(/\( /g, "(").replace(/,? \)/g, ")");
}
