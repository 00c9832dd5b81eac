import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError } from "@plinth/core";

/** A name beside a folder that says why and when it was put there. */
export function nameAside(folder: string, reason: string, now = new Date()): string {
  return `${folder}.${reason}-${now.toISOString().replace(/[:.]/g, "-")}`;
}

/** Puts a folder in the place of another, which is renamed; both names are on the disk afterwards. */
export async function replaceFolder(
  folder: string,
  by: { readonly next: string; readonly aside: string | undefined },
): Promise<void> {
  if (by.aside !== undefined) await rename(folder, by.aside);
  await rename(by.next, folder);
  const parent = await open(dirname(folder), "r");
  await parent.sync();
  await parent.close();
}

/** Says that a command has nothing to work on. */
export function noDatabase(folder: string): ConfigError {
  return new ConfigError("DATABASE_MISSING", {
    message: `there is no database in ${folder}; name the node's --data-path`,
  });
}
