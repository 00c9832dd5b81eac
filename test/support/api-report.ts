import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readPublicEntries } from "./public-api.js";

const NOTE =
  "<!-- Made from the declarations of the build by `npm run reference`. A change here is a change of what plugins are written against. -->";

/** All exported declarations of a package, entry by entry, without comments. */
export function formatApiReport(folder: string): string {
  const entries = readPublicEntries(folder).map(({ specifier, source, names }) => {
    const entry = join(folder, declarationOf(source));
    const declarations = names.map(({ name }) => findDeclaration(entry, name));
    const title = `## ${specifier} (${names.length} names)`;
    return `${title}\n\n\`\`\`ts\n${declarations.join("\n")}\n\`\`\``;
  });
  return `${[NOTE, "# API report of @plinth/core", ...entries].join("\n\n")}\n`;
}

function declarationOf(source: string): string {
  return source.replace("./src/", "./dist/").replace(/\.ts$/, ".d.ts");
}

/** The declaration of a name that an entry re-exports. */
function findDeclaration(entry: string, name: string): string {
  const from = new RegExp(`\\{[^}]*\\b${name}\\b[^}]*\\} from "([^"]+)";`).exec(read(entry))?.[1];
  if (from === undefined) throw new Error(`${entry} does not export ${name}`);
  const file = join(dirname(entry), from.replace(/\.js$/, ".d.ts"));
  const text = withoutComments(read(file));
  const head = new RegExp(
    `^export (declare )?(abstract )?(class|function|interface|type|const) ${name}\\b`,
  );
  const found = statementsOf(text).filter((statement) => head.test(statement));
  if (found.length === 0) throw new Error(`${file} does not declare ${name}`);
  return found.join("\n");
}

function read(file: string): string {
  if (!existsSync(file)) throw new Error(`${file} is missing; build first`);
  return readFileSync(file, "utf8");
}

function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .join("\n");
}

/** Statements start at the margin, and their parts are indented or close a bracket. */
function statementsOf(text: string): readonly string[] {
  return text.split(/\n(?=[a-z])/);
}
