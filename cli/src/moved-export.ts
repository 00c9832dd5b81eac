import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The packages of the core. */
const PACKAGES = ["@plinth/core", "@plinth/chain", "@plinth/node"];
/** Entries that moved to another package. */
const MOVED_ENTRIES: Readonly<Record<string, string>> = {
  "@plinth/core/manifest": "@plinth/node/manifest",
  "@plinth/core/testing": "@plinth/testing",
};

/** Values that became part of another. */
const REPLACED: Readonly<Record<string, string>> = {
  BlockReplay: "BlockReplay is a type",
  MAX_INIT_CODE_BYTES: 'use rulesOf(fork).maxInitCodeBytes of "@plinth/core/evm" instead',
  precompilesOf: 'use rulesOf(fork).precompiles of "@plinth/core/evm" instead',
};

const MISSING_NAME =
  /^The requested module '(@plinth\/[^']+)' does not provide an export named '(.+)'/;
const MISSING_ENTRY =
  /^Package subpath '\.(\/[^']+)' is not defined by "exports" in .*@plinth.core/;

/** What to import instead, if a plugin imports something that another entry of the core exports. */
export async function findMovedExport(error: unknown): Promise<string | undefined> {
  const message = String(Object(error).message);
  const [, entry] = MISSING_ENTRY.exec(message) ?? [];
  if (entry !== undefined) return describeEntry(`@plinth/core${entry}`);
  const [, , name] = MISSING_NAME.exec(message) ?? [];
  if (name === undefined) return undefined;
  if (Object.hasOwn(REPLACED, name)) return REPLACED[name];
  const specifier = await findEntryOf(name);
  return specifier && `import { ${name} } from "${specifier}" instead`;
}

function describeEntry(specifier: string): string | undefined {
  const moved = MOVED_ENTRIES[specifier];
  return moved && `import "${moved}" instead of "${specifier}"`;
}

/** The entry that exports a value; types do not exist at runtime. */
async function findEntryOf(name: string): Promise<string | undefined> {
  for (const specifier of PACKAGES.flatMap(entriesOf)) {
    const exported: object = await import(specifier);
    if (Object.hasOwn(exported, name)) return specifier;
  }
  return undefined;
}

/** All entries of a package, except for its workers. */
function entriesOf(name: string): readonly string[] {
  const path = fileURLToPath(import.meta.resolve(`${name}/package.json`));
  const { exports } = JSON.parse(readFileSync(path, "utf8"));
  return Object.keys(exports)
    .filter((entry) => !/-worker$|\.json$/.test(entry))
    .map((entry) => `${name}${entry.slice(1)}`);
}
