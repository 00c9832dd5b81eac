import { EnclaveError } from "./errors.js";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * Reads base64 as Tessera does for its node: padding may be missing, and what is wrong has Java's words.
 *
 * Nodes show these texts to their users.
 */
export function readJavaBase64(text: string): Uint8Array {
  const body = text.replace(/={1,2}$/, "");
  for (const character of body) {
    if (ALPHABET.includes(character)) continue;
    const code = character.charCodeAt(0).toString(16);
    throw new EnclaveError(500, `Illegal base64 character ${code}`);
  }
  const isWhole = text.length === body.length || text.length % 4 === 0;
  if (body.length % 4 === 1 || !isWhole) {
    throw new EnclaveError(500, "Input byte array has wrong 4-byte ending unit");
  }
  return new Uint8Array(Buffer.from(body, "base64"));
}
