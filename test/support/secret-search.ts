import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";

/**
 * The forms in which a secret could be found: raw, as hexadecimal digits, and as base64 at any
 * offset.
 */
export function formsOf(secret: Uint8Array): readonly Buffer[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    // The digits at both ends depend on the bytes beside the secret.
    return text.slice(Math.ceil((offset * 4) / 3), -4);
  });
  const texts = [bytes.toString("hex"), bytes.toString("hex").toUpperCase(), ...base64];
  return [bytes, ...texts.map((text) => Buffer.from(text))];
}

/** Whether it contains a secret, in any form. */
export function holds(content: Buffer, secret: Uint8Array): boolean {
  return formsOf(secret).some((form) => content.includes(form));
}

/**
 * The content of every file under a folder; for databases, which compress theirs, every entry as
 * well.
 */
export async function readFolder(folder: string): Promise<Buffer> {
  const contents: Buffer[] = [];
  if (existsSync(join(folder, "CURRENT"))) contents.push(await readDatabase(folder));
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    contents.push(entry.isDirectory() ? await readFolder(path) : readFileSync(path));
  }
  return Buffer.concat(contents);
}

async function readDatabase(folder: string): Promise<Buffer> {
  const database = new ClassicLevel<Buffer, Buffer>(folder, {
    createIfMissing: false,
    keyEncoding: "buffer",
    valueEncoding: "buffer",
  });
  const entries: Buffer[] = [];
  for await (const [key, value] of database.iterator()) entries.push(key, value);
  await database.close();
  return Buffer.concat(entries);
}
