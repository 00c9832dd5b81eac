import { EnclaveError } from "@plinth/kit-enclave";

const ILLEGAL = /[^A-Za-z0-9+/]/;
/** Java's replacement for characters outside Latin-1. */
const QUESTION_MARK = 0x3f;

/**
 * Decodes base64 as Tessera does for its node: padding may be missing, and errors have Java's messages.
 *
 * Nodes show these texts to their users.
 */
export function readJavaBase64(text: string): Uint8Array {
  if (text.length === 1) throw wrong("Input byte[] should at least have 2 bytes for base64 bytes");
  const [body = ""] = text.split("=", 1);
  const [illegal] = ILLEGAL.exec(body) ?? [];
  if (illegal !== undefined) throw wrong(`Illegal base64 character ${codeOf(illegal)}`);
  const rest = body.length % 4;
  const padding = text.slice(body.length);
  if (padding !== "" && (rest === 0 || (rest === 2 && !padding.startsWith("==")))) {
    throw wrong("Input byte array has wrong 4-byte ending unit");
  }
  if (rest === 1) throw wrong("Last unit does not have enough valid bits");
  const end = padding === "" ? body.length : body.length + 4 - rest;
  if (end < text.length) throw wrong(`Input byte array has incorrect ending byte at ${end}`);
  return new Uint8Array(Buffer.from(body, "base64"));
}

/** The byte of a character as Java prints it: bytes are signed there. */
function codeOf(character: string): string {
  const code = character.charCodeAt(0);
  const byte = code > 0xff ? QUESTION_MARK : code;
  return (byte > 0x7f ? byte - 0x100 : byte).toString(16);
}

function wrong(problem: string): EnclaveError {
  return new EnclaveError(500, problem);
}
