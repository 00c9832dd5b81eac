import { ClassicLevel } from "classic-level";

/**
 * Removes the only entry whose key ends with these bytes from a closed database; throws if there is
 * none.
 */
export async function loseEntry(folder: string, end: Uint8Array): Promise<void> {
  const encoding = { keyEncoding: "buffer", valueEncoding: "buffer" } as const;
  const database = new ClassicLevel<Buffer, Buffer>(folder, encoding);
  try {
    const keys = await database.keys().all();
    const found = keys.filter((key) => key.subarray(-end.length).equals(end));
    if (found.length !== 1) throw new Error(`${found.length} entries have such a key`);
    const deletions = found.map((key) => ({ type: "del", key }) as const);
    await database.batch(deletions, { sync: true });
  } finally {
    await database.close();
  }
}
