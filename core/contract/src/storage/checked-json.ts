import { createHash } from "node:crypto";

/** JSON of an object with an embedded checksum, so that corruption is detected on reading. */
export function encodeChecked(content: object): string {
  return `${JSON.stringify({ ...content, checksum: checksumOf(content) }, undefined, 2)}\n`;
}

/** The object of `encodeChecked`; `undefined` if it is corrupted. */
export function decodeChecked(text: string): Record<string, unknown> | undefined {
  try {
    const { checksum, ...content } = JSON.parse(text);
    return checksum === checksumOf(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

function checksumOf(content: object): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}
