import { link, unlink, writeFile } from "node:fs/promises";
import { ConfigError, messageOf } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import { createKeyPair, USUAL_LOCK, writeKeyFile } from "../crypto/key-files.js";
import { loadSodium } from "../crypto/sodium.js";

const ONLY_OWNER = 0o600;

/** Creates a private and a public key file; returns the public key. */
export async function createKeyFiles(
  to: string,
  lock?: { readonly password: string; readonly memory: number },
): Promise<string> {
  const sodium = await loadSodium();
  const pair = createKeyPair(sodium);
  const locked = lock && {
    password: lock.password,
    settings: { ...USUAL_LOCK, memory: lock.memory },
  };
  await create(`${to}.key`, await writeKeyFile(pair, sodium, locked));
  const publicKey = toBase64(pair.publicKey);
  await create(`${to}.pub`, publicKey);
  return publicKey;
}

/** Writes a file atomically, and never overwrites another. */
async function create(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.new`;
  try {
    await writeFile(temporary, text, { mode: ONLY_OWNER, flag: "wx" });
    await link(temporary, path);
  } catch (error) {
    throw new ConfigError("ENCLAVE_KEY_UNUSABLE", {
      message: `Cannot create the key file ${path}: ${messageOf(error)}`,
      path,
      cause: error,
    });
  } finally {
    await unlink(temporary).catch(() => {});
  }
}
