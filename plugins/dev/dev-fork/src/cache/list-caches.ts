import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { EXTENSION } from "./cache-folder.js";

/** A file of a cache. */
export interface CachedFile {
  readonly path: string;
  readonly chainId: number;
  readonly block: number;
  readonly hash: string;
  readonly bytes: number;
}

/** The caches to list or to remove; all by default. */
export interface CacheFilter {
  readonly chainId?: number | undefined;
  readonly block?: number | undefined;
}

const NAME = new RegExp(`^(\\d+)-(0x[0-9a-f]{64})\\${EXTENSION}$`);

/** The files of a cache, by chain and block. */
export async function listCaches(
  folder: string,
  { chainId, block }: CacheFilter,
): Promise<readonly CachedFile[]> {
  const found: CachedFile[] = [];
  for (const chain of await namesIn(folder)) {
    if (!/^\d+$/.test(chain)) continue;
    for (const name of await namesIn(join(folder, chain))) {
      const [, number, hash] = NAME.exec(name) ?? [];
      if (number === undefined || hash === undefined) continue;
      const path = join(folder, chain, name);
      const { size: bytes } = await stat(path);
      found.push({ path, chainId: Number(chain), block: Number(number), hash, bytes });
    }
  }
  return found
    .filter((file) => chainId === undefined || file.chainId === chainId)
    .filter((file) => block === undefined || file.block === block)
    .sort((a, b) => a.chainId - b.chainId || a.block - b.block);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(Object(error).code)) return [];
    throw error;
  }
}
