import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError } from "@plinth/core";

/** A sibling name of a folder with a reason and a time. */
export function nameAside(folder: string, reason: string, now = new Date()): string {
  return `${folder}.${reason}-${now.toISOString().replace(/[:.]/g, "-")}`;
}

/** Replaces a folder by another and renames the old one; both names are synced to disk. */
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

/** The error for a missing database. */
export function noDatabase(folder: string): ConfigError {
  return new ConfigError("DATABASE_MISSING", {
    message: `there is no database in ${folder}; specify the node's --data-path`,
  });
}
