import { join } from "node:path";
import { type NewFile, writeFolder } from "@plinth/core/kernel";
import type { NodeKeys } from "./key-pairs.js";

/** The file names of a network. */
export interface FileNames {
  readonly genesis: string;
  readonly privateKey: string;
  readonly publicKey: string;
}

/** The output. */
export interface NetworkFiles {
  readonly genesis: string;
  readonly keys: readonly NodeKeys[];
}

/** Writes a network into a folder, atomically; the genesis file comes last. */
export async function writeNetwork(
  to: string,
  { genesis, keys }: NetworkFiles,
  names: FileNames,
): Promise<void> {
  await writeFolder(to, [
    ...keys.flatMap((key) => filesOf(key, names)),
    { path: names.genesis, content: genesis },
  ]);
}

function filesOf(
  { address, publicKey, privateKey }: NodeKeys,
  names: FileNames,
): readonly NewFile[] {
  const home = join("keys", address);
  const shown = { path: join(home, names.publicKey), content: publicKey };
  if (privateKey === undefined) return [shown];
  return [shown, { path: join(home, names.privateKey), content: privateKey, isSecret: true }];
}
