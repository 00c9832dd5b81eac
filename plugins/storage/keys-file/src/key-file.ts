import { randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError, loadCrypto, messageOf, parseHex, toHex } from "@plinth/core";
import type { NodeKey } from "@plinth/core/network";
import type { Crypto } from "@plinth/core/primitives";
import { codeOf, createOnce } from "./create-once.js";
import { FileNodeKey } from "./file-node-key.js";

/** One line with the 64 digits of a private key. */
const PRIVATE_KEY_LINE = /^(?:0x)?[0-9a-f]{64}$/i;

/** Opens the node key in a file; if there is none, generates and stores a new key. */
export async function openKeyFile(path: string): Promise<NodeKey> {
  const crypto = await loadCrypto();
  const privateKey = (await findPrivateKey(path, crypto)) ?? (await storeNewKey(path, crypto));
  return new FileNodeKey(privateKey, crypto);
}

/** Opens the node key in a file; `undefined` if the file does not exist. */
export async function findKeyFile(path: string): Promise<NodeKey | undefined> {
  const crypto = await loadCrypto();
  const privateKey = await findPrivateKey(path, crypto);
  return privateKey && new FileNodeKey(privateKey, crypto);
}

/**
 * Reads the private key in a file, 32 bytes.
 *
 * For tools that need the key itself; a node uses `openKeyFile`, which does not expose it.
 */
export async function readKeyFile(path: string): Promise<Uint8Array> {
  const privateKey = await findPrivateKey(path, await loadCrypto());
  if (privateKey === undefined) throw unreadable(path, "the file does not exist");
  return privateKey;
}

async function findPrivateKey(path: string, crypto: Crypto): Promise<Uint8Array | undefined> {
  const text = await findText(path);
  return text === undefined ? undefined : parsePrivateKey(text, path, crypto);
}

async function findText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw unreadable(path, messageOf(error), error);
  }
}

function parsePrivateKey(text: string, path: string, crypto: Crypto): Uint8Array {
  const line = text.trim();
  const privateKey = PRIVATE_KEY_LINE.test(line) ? parseHex(line) : undefined;
  if (privateKey === undefined) {
    throw invalid(path, "expected one line with 64 hex digits, with or without 0x");
  }
  if (!crypto.isPrivateKey(privateKey)) {
    throw invalid(path, "the number must be above zero and below the order of secp256k1");
  }
  return privateKey;
}

async function storeNewKey(path: string, crypto: Crypto): Promise<Uint8Array> {
  const privateKey = createPrivateKey(crypto);
  if (await createKeyFile(path, toHex(privateKey))) return privateKey;
  // Another process was faster; its key is the node's key.
  return await readKeyFile(path);
}

async function createKeyFile(path: string, text: string): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    return await createOnce({ path, text });
  } catch (error) {
    throw new ConfigError("KEY_FILE_UNREADABLE", {
      message: `${path}: a new node key cannot be stored there: ${messageOf(error)}`,
      path,
      cause: error,
    });
  }
}

function createPrivateKey(crypto: Crypto): Uint8Array {
  for (;;) {
    const candidate = new Uint8Array(randomBytes(32));
    if (crypto.isPrivateKey(candidate)) return candidate;
  }
}

/** Describes what is wrong with the content without repeating it: it may be a mistyped key. */
function invalid(path: string, expectation: string): ConfigError {
  return new ConfigError("KEY_FILE_INVALID", {
    message: `${path} is not a private key: ${expectation}`,
    path,
  });
}

function unreadable(path: string, reason: string, cause?: unknown): ConfigError {
  return new ConfigError("KEY_FILE_UNREADABLE", {
    message: `${path}: the private key cannot be read: ${reason}`,
    path,
    cause,
  });
}
