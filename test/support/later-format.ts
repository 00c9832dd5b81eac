import { crc32 } from "node:zlib";
import { ClassicLevel } from "classic-level";

/** Marks a LevelDB database as written by a version with another format. */
export async function writeFormat(folder: string, format: number): Promise<void> {
  const key = Buffer.from("\0format");
  const value = Buffer.from(JSON.stringify({ format }));
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(value, crc32(key)));
  const encodings = { keyEncoding: "view", valueEncoding: "view" };
  const level = new ClassicLevel<Uint8Array, Uint8Array>(folder, encodings);
  await level.put(key, Buffer.concat([value, checksum]));
  await level.close();
}
