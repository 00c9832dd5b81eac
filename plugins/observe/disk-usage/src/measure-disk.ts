import { realpath, statfs } from "node:fs/promises";
import { join } from "node:path";
import { measureMembers } from "./folder-size.js";
import { GROUPS, type Group, groupOfFile, groupOfTable } from "./groups.js";

/** The folder of the database in the data folder. */
export const DATABASE = "database";

/** What takes how much at one moment, in bytes. */
export interface DiskMeasurement {
  /** The data folder, without links. */
  readonly dataPath: string;
  /** Estimates, by the name of the table. */
  readonly tables: ReadonlyMap<string, number>;
  /** In the order of `GROUPS`. */
  readonly groups: ReadonlyMap<Group, number>;
  /** The files of the database, as the file system counts them. */
  readonly databaseBytes: number;
  /** The disk of the database. */
  readonly freeBytes: number;
  readonly diskBytes: number;
}

/** Measures a data folder; `tables` are the estimates of its database. */
export async function measureDisk(
  dataPath: string,
  tables: ReadonlyMap<string, number>,
): Promise<DiskMeasurement> {
  const members = await measureMembers(dataPath);
  const { bavail, blocks, bsize } = await statfs(join(dataPath, DATABASE));
  const databaseBytes = members.get(DATABASE) ?? 0;
  return {
    dataPath: await realpath(dataPath),
    tables,
    groups: sumGroups({ tables, members, databaseBytes }),
    databaseBytes,
    freeBytes: bavail * bsize,
    diskBytes: blocks * bsize,
  };
}

/** The bytes that the node writes: all but files it does not know and databases set aside. */
export function dataBytes({ groups }: Pick<DiskMeasurement, "groups">): number {
  const rest = (groups.get("files") ?? 0) + (groups.get("set-aside") ?? 0);
  return totalBytes({ groups }) - rest;
}

/** The bytes of the data folder. */
export function totalBytes({ groups }: Pick<DiskMeasurement, "groups">): number {
  return [...groups.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function sumGroups({
  tables,
  members,
  databaseBytes,
}: {
  readonly tables: ReadonlyMap<string, number>;
  readonly members: ReadonlyMap<string, number>;
  readonly databaseBytes: number;
}): ReadonlyMap<Group, number> {
  const sums = new Map(Object.keys(GROUPS).map((group): [Group, number] => [group as Group, 0]));
  const add = (group: Group, bytes: number) => sums.set(group, (sums.get(group) ?? 0) + bytes);
  let inTables = 0;
  for (const [name, bytes] of tables) {
    add(groupOfTable(name), bytes);
    inTables += bytes;
  }
  // The estimates are older than the sizes of the files by some milliseconds.
  add("database", Math.max(0, databaseBytes - inTables));
  for (const [name, bytes] of members) {
    if (name !== DATABASE) add(groupOfFile(name), bytes);
  }
  return sums;
}
