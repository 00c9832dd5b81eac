import { ConfigError, messageOf } from "@plinth/core";
import {
  folderOf,
  listUserPackages,
  readPackage,
  type UserPackage,
} from "../oclif/user-packages.js";
import { findPlugin } from "../plugin-source.js";
import { type KnownProgram, resolveProgram } from "../program.js";
import { type KnownPlugin, nameOf } from "./known-plugin.js";
import { readManifest } from "./manifest-file.js";

/**
 * The program with installed plugins that no configuration lists, for their commands.
 *
 * A node does not load them. One that conflicts with the others is reported and skipped.
 */
export async function addInstalled(
  program: KnownProgram,
  home: string,
  warn: (message: string) => void,
): Promise<KnownProgram> {
  let extended = program;
  for (const each of listOrWarn(home, warn)) {
    try {
      const plugin = await findWithCommands(each.name, home, readPackage(folderOf(home, each)));
      if (plugin === undefined || program.known.some((known) => isSame(known, plugin))) continue;
      const known = [...extended.known, plugin];
      verifyCommands(plugin, extended.known);
      extended = { ...program, known, resolved: resolveProgram(known) };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      warn(`commands of ${each.name} are skipped: ${messageOf(error)}`);
    }
  }
  return extended;
}

/** The installed packages; an unreadable list is reported, and stops no other command. */
function listOrWarn(home: string, warn: (message: string) => void): readonly UserPackage[] {
  try {
    return listUserPackages(home);
  } catch (error) {
    warn(messageOf(error));
    return [];
  }
}

/** An installed plugin of Plinth with commands, according to its manifest. */
async function findWithCommands(
  name: string,
  home: string,
  { peerDependencies }: ReturnType<typeof readPackage>,
): Promise<KnownPlugin | undefined> {
  if (peerDependencies["@plinth/core"] === undefined) return undefined;
  const found = await findPlugin(name, { config: home, working: home, installed: home });
  const read = readManifest(found.url);
  if (read.manifest === undefined) {
    if (!read.isDamaged) return undefined;
    throw new ConfigError("MANIFEST_INVALID", { message: read.missing, plugin: name });
  }
  return read.manifest.commands.length === 0 ? undefined : { ...found, manifest: read.manifest };
}

function isSame(a: KnownPlugin, b: KnownPlugin): boolean {
  return a.url === b.url || nameOf(a) === nameOf(b);
}

/** Of two plugins with one command, the earlier one keeps it. */
function verifyCommands({ manifest }: KnownPlugin, others: readonly KnownPlugin[]): void {
  for (const { id } of manifest?.commands ?? []) {
    const owner = others.find((other) => other.manifest?.commands.some((own) => own.id === id));
    if (owner === undefined) continue;
    throw new ConfigError("CONTRIBUTION_CONFLICT", {
      message: `${nameOf(owner)} has the command "${id}"`,
    });
  }
}
