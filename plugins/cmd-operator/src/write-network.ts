import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, PlinthError } from "@plinth/core";
import type { NodeKeys } from "./key-pairs.js";

/** The names of the files of a network. */
export interface FileNames {
  readonly genesis: string;
  readonly privateKey: string;
  readonly publicKey: string;
}

/** What is written. */
export interface NetworkFiles {
  readonly genesis: string;
  readonly keys: readonly NodeKeys[];
}

const KEYS = "keys";
/** Private keys are for their owner only. */
const OWNER_ONLY = 0o600;

/** Throws unless a network can be written to a folder: it must be empty, or missing with its parent there. */
export async function verifyTarget(to: string): Promise<void> {
  const entries = await readdir(to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw unwritable(to, error);
  });
  if (entries.length > 0) {
    throw new PlinthError("OUTPUT_EXISTS", {
      message: `Output directory already exists. ${to} is not empty`,
      path: to,
    });
  }
}

/**
 * Writes a network into a folder, all of it or nothing.
 *
 * Files are written under a name of their own inside the folder's parent, or inside the folder when it
 * is there already, which may be a mount; then they are moved, the genesis file last.
 */
export async function writeNetwork(
  to: string,
  network: NetworkFiles,
  names: FileNames,
): Promise<void> {
  const isThere = await stat(to).then(
    () => true,
    () => false,
  );
  const suffix = `${randomBytes(6).toString("hex")}.tmp`;
  const draft = isThere ? join(to, suffix) : `${to}.${suffix}`;
  try {
    await mkdir(draft);
    await writeFiles(draft, network, names);
    if (!isThere) return await rename(draft, to);
    await moveInto(to, draft, names.genesis);
  } catch (error) {
    throw unwritable(to, error);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** The genesis file comes last: where it is, everything is. */
async function moveInto(to: string, draft: string, genesis: string): Promise<void> {
  await rename(join(draft, KEYS), join(to, KEYS));
  try {
    await rename(join(draft, genesis), join(to, genesis));
  } catch (error) {
    await rm(join(to, KEYS), { recursive: true, force: true });
    throw error;
  }
}

async function writeFiles(folder: string, network: NetworkFiles, names: FileNames): Promise<void> {
  await mkdir(join(folder, KEYS));
  for (const { address, publicKey, privateKey } of network.keys) {
    const home = join(folder, KEYS, address);
    await mkdir(home);
    await writeFile(join(home, names.publicKey), publicKey, { flag: "wx" });
    if (privateKey === undefined) continue;
    await writeFile(join(home, names.privateKey), privateKey, { flag: "wx", mode: OWNER_ONLY });
  }
  await writeFile(join(folder, names.genesis), network.genesis, { flag: "wx" });
}

function unwritable(to: string, cause: unknown): PlinthError {
  return new PlinthError("OUTPUT_UNWRITABLE", {
    message: `cannot write to ${to}: ${messageOf(cause)}`,
    path: to,
    cause,
  });
}
