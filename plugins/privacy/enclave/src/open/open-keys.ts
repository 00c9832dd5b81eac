import { readFile } from "node:fs/promises";
import { ConfigError, messageOf } from "@plinth/core";
import { KeyFileProblem, openKeyFile } from "../crypto/key-files.js";
import type { KeyPair } from "../crypto/key-pair.js";
import type { Sodium } from "../crypto/sodium.js";
import type { EnclaveSettings } from "./read-settings.js";

/** Opens the configured key files. */
export async function openKeys(
  { keyFiles = [], passwordFile }: Pick<EnclaveSettings, "keyFiles" | "passwordFile">,
  sodium: Sodium,
): Promise<readonly [KeyPair, ...KeyPair[]]> {
  const passwords = passwordFile === undefined ? [] : (await read(passwordFile)).split(/\r?\n/);
  const pairs: KeyPair[] = [];
  for (const [index, path] of keyFiles.entries()) {
    const text = await read(path);
    const password = async () => findPassword(passwords[index], path);
    pairs.push(await openOne(() => openKeyFile(text, sodium, password), path));
  }
  const [first, ...others] = pairs;
  if (first !== undefined) return [first, ...others];
  throw new ConfigError("ENCLAVE_KEY_MISSING", {
    message:
      "A private transaction manager needs a key: create one with plinth enclave keygen, and add it to key-files",
  });
}

async function openOne(open: () => Promise<KeyPair>, path: string): Promise<KeyPair> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof KeyFileProblem)) throw error;
    throw unusable(path, error.message);
  }
}

function findPassword(password: string | undefined, path: string): string {
  if (password !== undefined && password !== "") return password;
  throw unusable(path, "it is locked, and password-file has no password for it");
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw unusable(path, messageOf(error));
  }
}

function unusable(path: string, problem: string): ConfigError {
  return new ConfigError("ENCLAVE_KEY_UNUSABLE", {
    message: `The key file ${path} cannot be used: ${problem}`,
    path,
  });
}
