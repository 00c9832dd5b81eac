import { createHash } from "node:crypto";

/** JSON of an object with a checksum in it, so that damage is noticed when it is read. */
export function encodeChecked(content: object): string {
  return `${JSON.stringify({ ...content, checksum: checksumOf(content) }, undefined, 2)}\n`;
}

/** The object of `encodeChecked`; `undefined` when it is damaged. */
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
