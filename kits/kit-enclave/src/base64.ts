import { EnclaveError } from "./errors.js";

/** Length of keys, group ids and the hashes of payloads. */
export const KEY_BYTES = 32;

/** Standard base64 with its padding. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Decodes standard base64 with its padding; `name` is its name in an error. */
export function fromBase64(text: string, name: string): Uint8Array {
  const bytes = Buffer.from(text, "base64");
  // Buffer skips invalid characters; its own encoding is the canonical text.
  if (bytes.toString("base64") !== text) {
    throw new EnclaveError(400, `${name}: not base64: ${shorten(text)}`);
  }
  return new Uint8Array(bytes);
}

/** Decodes a key, a group id or a hash. */
export function keyFromBase64(text: string, name: string): Uint8Array {
  const bytes = fromBase64(text, name);
  if (bytes.length === KEY_BYTES) return bytes;
  throw new EnclaveError(400, `${name}: ${bytes.length} bytes, expected ${KEY_BYTES}`);
}

function shorten(text: string): string {
  return text.length <= 60 ? `"${text}"` : `"${text.slice(0, 60)}…" (${text.length} characters)`;
}
