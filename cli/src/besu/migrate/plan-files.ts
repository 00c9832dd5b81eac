import { readFile } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { parseHex } from "@plinth/core";
import type { NewFile } from "@plinth/core/kernel";
import type { Installation } from "./find-installation.js";
import { withLocalSocket } from "./local-socket.js";
import type { KeptOption } from "./translate-options.js";

/** The files of a node that replaces a Besu node. */
export interface PlannedFiles {
  readonly files: readonly NewFile[];
  /** Paths of options that were not found. */
  readonly lost: readonly string[];
}

/** Options whose files have a fixed place in the new folder. */
const OWN_PLACES: readonly string[] = [
  ...["config-file", "data-path", "genesis-file", "node-private-key-file", "static-nodes-file"],
  ...["permissions-nodes-config-file", "permissions-accounts-config-file"],
];

/** The required ones. */
const FILES = OWN_PLACES.filter(
  (name) => !["config-file", "data-path", "genesis-file"].includes(name),
);

/**
 * Copies the files found, and writes a configuration file whose paths are those of the new folder.
 */
export async function planFiles(
  installation: Installation,
  to: string,
  kept: readonly KeptOption[],
): Promise<PlannedFiles> {
  const { genesis, key, staticNodes, permissions } = installation;
  const own = await Promise.all([
    copy(genesis, "genesis.json"),
    copy(key, "key", true),
    copy(staticNodes, "static-nodes.json"),
    copy(permissions, "permissions_config.toml"),
  ]);
  const others = kept.filter(({ name }) => !OWN_PLACES.includes(name));
  const isEnabled = (name: string) =>
    kept.some((each) => each.name === name && each.value === true);
  const paths: readonly KeptOption[] = [
    path("data-path", join(to, "data")),
    ...(genesis === undefined ? [] : [path("genesis-file", join(to, "genesis.json"))]),
    path("node-private-key-file", join(to, "key")),
    ...(staticNodes === undefined
      ? []
      : [path("static-nodes-file", join(to, "static-nodes.json"))]),
    ...["nodes", "accounts"]
      .filter(
        (list) => permissions !== undefined && isEnabled(`permissions-${list}-config-file-enabled`),
      )
      .map((list) => path(`permissions-${list}-config-file`, join(to, "permissions_config.toml"))),
  ];
  const lost: string[] = [];
  for (const { name, value } of kept.filter((each) => FILES.includes(each.name))) {
    if ((await installation.find(name, value)) === undefined) lost.push(`\`--${name}\`: ${value}`);
  }
  const copies = new Map<string, string>();
  const settled: KeptOption[] = [];
  for (const option of others) {
    const { name, value } = option;
    const found = option.isPath ? await installation.find(name, value) : undefined;
    if (found === undefined) {
      settled.push(option);
      if (option.isPath) lost.push(`\`--${name}\`: ${value}`);
    } else if (isOutside(installation.folder, found)) {
      settled.push(path(name, found));
    } else {
      const copied = copies.get(found) ?? chooseName(name, found, [...copies.values()]);
      copies.set(found, copied);
      settled.push(path(name, join(to, copied)));
    }
  }
  const copied = await Promise.all([...copies].map(([from, name]) => copy(from, name, true)));
  const options = withLocalSocket([...paths, ...settled], join(to, "data"));
  const content = formatToml(options, installation);
  return { files: [...own.flat(), ...copied.flat(), { path: "plinth.toml", content }], lost };
}

/** The private key in the text of a file; `undefined` if there is none. */
export function findPrivateKey(text: string): Uint8Array | undefined {
  const bytes = parseHex(text.trim());
  return bytes?.length === 32 ? bytes : undefined;
}

async function copy(
  from: string | undefined,
  path: string,
  isSecret = false,
): Promise<readonly NewFile[]> {
  if (from === undefined) return [];
  return [{ path, content: await readFile(from), isSecret }];
}

/** The files that the new folder has anyway. */
const TAKEN = [
  ...["README.md", "plinth.toml", "data", "genesis.json", "key"],
  ...["static-nodes.json", "permissions_config.toml"],
];

/** The name of a copy: its own, unless it is taken. */
function chooseName(option: string, from: string, copied: readonly string[]): string {
  const name = basename(from);
  return [...TAKEN, ...copied].includes(name) ? `${option}.${name}` : name;
}

/** Such a file is not part of the installation, and stays in place. */
function isOutside(folder: string, file: string): boolean {
  return relative(folder, file).split(sep)[0] === "..";
}

function path(name: string, value: string): KeptOption {
  return { name, value, isPath: true };
}

/** JSON and TOML share the syntax of strings, numbers, booleans and lists of strings. */
function formatToml(options: readonly KeptOption[], { configFile, folder }: Installation): string {
  const title = `# Made from ${configFile ?? folder}`;
  const lines = options.map(({ name, value }) => `${name} = ${JSON.stringify(value)}`);
  return `${[title, ...lines].join("\n")}\n`;
}
