import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Interfaces } from "@oclif/core";
import { Plugin } from "@oclif/core/config";
import { messageOf } from "@plinth/core";

/** A package that `plinth plugins` has installed or linked. */
export interface UserPackage {
  readonly name: string;
  readonly type: "user" | "link";
  /** The folder that a link leads to. */
  readonly root?: string;
}

/** oclif plugins among the installed packages; one that cannot be loaded is named and left out. */
export async function loadUserPlugins(
  home: string,
  warn: (message: string) => void,
): Promise<Interfaces.Plugin[]> {
  const found = listUserPackages(home).map(async ({ name, type, root }) => {
    const folder = root ?? join(home, "node_modules", name);
    try {
      if (!isOclifPlugin(folder)) return [];
      const plugin = new Plugin({ name, type, root: folder, errorOnManifestCreate: true });
      await plugin.load();
      return [plugin];
    } catch (error) {
      warn(`plugin "${name}" cannot be loaded: ${messageOf(error).split("\n")[0]}`);
      return [];
    }
  });
  return (await Promise.all(found)).flat();
}

/** The packages that the folder's package.json lists. */
export function listUserPackages(home: string): readonly UserPackage[] {
  const path = join(home, "package.json");
  if (!existsSync(path)) return [];
  const { oclif } = JSON.parse(readFileSync(path, "utf8"));
  return oclif?.plugins ?? [];
}

/** Whether a package is made for oclif: its package.json says so. */
export function isOclifPlugin(folder: string): boolean {
  const { oclif } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return oclif !== undefined;
}
