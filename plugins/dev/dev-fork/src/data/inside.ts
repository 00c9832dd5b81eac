import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Whether a path, which need not exist, is a folder or something in it, also by links. */
export async function isInside(path: string, folder: string): Promise<boolean> {
  const way = relative(await realPathOf(resolve(folder)), await realPathOf(resolve(path)));
  return !isAbsolute(way) && way.split(sep)[0] !== "..";
}

async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (Object(error).code !== "ENOENT" || parent === path) throw error;
    return join(await realPathOf(parent), basename(path));
  }
}
