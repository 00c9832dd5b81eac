import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./program.js";

/** The arguments of a hook, as declared in its source. */
export interface HookTypes {
  /** The types of the arguments, without the runtime: `HeaderEvent`, or several. */
  readonly types: readonly string[];
  /** The declarations of the named types, as in the sources. */
  readonly declarations: readonly string[];
  /** The members of the first, for an example. */
  readonly members: readonly string[];
}

/** The types of every hook of the core, by name. */
export function readHookTypes(): ReadonlyMap<string, HookTypes> {
  const sources = findSources();
  const all = sources.join("\n");
  const found = new Map<string, HookTypes>();
  for (const source of sources) {
    for (const [, list = "", name = ""] of source.matchAll(
      /\bhook\.\w+<([\s\S]*?)>\(\s*"([a-z]+\.\w+)"/g,
    )) {
      const types = splitTypes(list);
      const declarations = types.flatMap((type) => findDeclaration(all, type));
      found.set(name, {
        types,
        declarations,
        members: membersOf(declarations[0] ?? types[0] ?? ""),
      });
    }
  }
  return found;
}

function findSources(): readonly string[] {
  const folder = join(ROOT, "core/contract/src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.test(-d)?\.ts$/.test(file))
    .sort();
  return files.map((file) => readFileSync(join(folder, file), "utf8"));
}

/** Commas between types, not those within one. */
function splitTypes(list: string): readonly string[] {
  const types: string[] = [];
  let depth = 0;
  let current = "";
  for (const letter of list) {
    if ("{<([".includes(letter)) depth += 1;
    if ("}>)]".includes(letter)) depth -= 1;
    if (letter === "," && depth === 0) {
      types.push(current);
      current = "";
    } else current += letter;
  }
  return [...types, current].map((type) => type.replace(/\s+/g, " ").trim()).filter(Boolean);
}

/** An interface or a type of that name. */
function findDeclaration(all: string, type: string): readonly string[] {
  const name = /^[A-Z]\w*/.exec(type)?.[0];
  if (name === undefined) return [];
  const found =
    new RegExp(`^export interface ${name}(?: extends [^{]+)? \\{[\\s\\S]*?^\\}`, "m").exec(all) ??
    new RegExp(`^export type ${name} =[\\s\\S]*?;$`, "m").exec(all);
  return found === null ? [] : [found[0].replace(/^export /, "")];
}

function membersOf(declaration: string): readonly string[] {
  return [...declaration.matchAll(/readonly (\w+)\??:/g)].map(([, member = ""]) => member);
}
