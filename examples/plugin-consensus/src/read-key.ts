import { readFileSync } from "node:fs";
import { ConfigError, messageOf, parseHex } from "@plinth/core";

const KEY_BYTES = 32;

/** Reads a private key from a file of hex digits; what the file holds is never told. */
export function readKey(path: string): Uint8Array {
  const key = parseHex(readText(path).trim());
  if (key?.length === KEY_BYTES) return key;
  throw new ConfigError("OPTION_INVALID", {
    message: `turns-key-file: ${path} does not hold ${KEY_BYTES} bytes of hex`,
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const message = `turns-key-file: ${path} cannot be read: ${messageOf(cause)}`;
    throw new ConfigError("OPTION_INVALID", { message, cause });
  }
}
