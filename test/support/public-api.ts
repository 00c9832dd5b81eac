import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Something that a package exports, with the first sentence of its comment. */
export interface PublicName {
  readonly name: string;
  readonly kind: string;
  readonly summary: string;
}

const EXPORTS = /export (type )?\{([^}]+)\} from "(\.[^"]+)";/g;

/** What an entry file re-exports, read from the files that define it. */
export function readPublicApi(entry: string): readonly PublicName[] {
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
  return { name, kind: definition?.[2] ?? "", summary: sentence };
}
