import { fromBase64, KEY_BYTES, keyFromBase64, toBase64 } from "@plinth/kit-enclave";
import { BOX_BYTES, NONCE_BYTES } from "../codec/encoded-payload.js";
import type { KeyPair } from "./key-pair.js";
import type { Sodium } from "./sodium.js";

/** An unusable key file; the message names the field, never its content. */
export class KeyFileProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = "KeyFileProblem";
  }
}

const VARIANTS = { id: "argon2id", i: "argon2i", d: "argon2d" } as const;

/** Parameters that derive the key of a locked file from a password. */
export interface LockSettings {
  readonly variant: keyof typeof VARIANTS;
  /** In KiB. */
  readonly memory: number;
  readonly iterations: number;
  readonly parallelism: number;
}

/** Tessera's parameters for locking its files. */
export const USUAL_LOCK: LockSettings = {
  variant: "i",
  memory: 1_048_576,
  iterations: 10,
  parallelism: 4,
};

const SALT_BYTES = 16;
/** Upper limits for the memory (KiB) and rounds spent on a file. */
const MAX_MEMORY = 4 * 1_048_576;
const MAX_ITERATIONS = 1000;
const MAX_PARALLELISM = 64;

/** Generates a key pair. */
export function createKeyPair(sodium: Sodium): KeyPair {
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  return { publicKey, privateKey };
}

/** Opens a private key file of Tessera; calls `password` if it is locked. */
export async function openKeyFile(
  text: string,
  sodium: Sodium,
  password: () => Promise<string>,
): Promise<KeyPair> {
  const { type, data } = parse(text);
  const privateKey =
    type === "unlocked"
      ? readKey(data.bytes)
      : await unlock(readLocked(data), await password(), sodium);
  return { publicKey: sodium.crypto_scalarmult_base(privateKey), privateKey };
}

/** The text of a private key file, locked if there is a password. */
export async function writeKeyFile(
  { privateKey }: Pick<KeyPair, "privateKey">,
  sodium: Sodium,
  lock?: { readonly password: string; readonly settings?: LockSettings },
): Promise<string> {
  if (lock === undefined) {
    return JSON.stringify({ data: { bytes: toBase64(privateKey) }, type: "unlocked" });
  }
  const { password, settings = USUAL_LOCK } = lock;
  const salt = sodium.randombytes_buf(SALT_BYTES);
  const nonce = sodium.randombytes_buf(NONCE_BYTES);
  const key = await deriveKey(password, salt, settings);
  const data = {
    aopts: settings,
    snonce: toBase64(nonce),
    asalt: toBase64(salt),
    sbox: toBase64(sodium.crypto_secretbox_easy(privateKey, nonce, key)),
  };
  return JSON.stringify({ data, type: "argon2sbox" });
}

interface Locked {
  readonly settings: LockSettings;
  readonly salt: Uint8Array;
  readonly nonce: Uint8Array;
  readonly box: Uint8Array;
}

function parse(text: string): { readonly type: string; readonly data: Record<string, unknown> } {
  const { type, data } = Object(parseJson(text));
  if (type !== "unlocked" && type !== "argon2sbox") {
    throw new KeyFileProblem('type: expected "unlocked" or "argon2sbox"');
  }
  if (typeof data !== "object" || data === null) throw new KeyFileProblem("data is missing");
  return { type, data };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser quotes the offending text, which may be the key.
    throw new KeyFileProblem("it is not JSON");
  }
}

function readLocked(data: Record<string, unknown>): Locked {
  const { variant, memory, iterations, parallelism } = Object(data.aopts);
  if (!Object.hasOwn(VARIANTS, String(variant))) {
    throw new KeyFileProblem('data.aopts.variant: expected "id", "i" or "d"');
  }
  return {
    settings: {
      variant,
      memory: readNumber("memory", memory, MAX_MEMORY),
      iterations: readNumber("iterations", iterations, MAX_ITERATIONS),
      parallelism: readNumber("parallelism", parallelism, MAX_PARALLELISM),
    },
    salt: readBytes("data.asalt", data.asalt),
    nonce: readBytes("data.snonce", data.snonce, NONCE_BYTES),
    box: readBytes("data.sbox", data.sbox, BOX_BYTES),
  };
}

function readNumber(name: string, value: unknown, max: number): number {
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max) return Number(value);
  throw new KeyFileProblem(`data.aopts.${name}: expected a number from 1 to ${max}`);
}

function readBytes(name: string, value: unknown, length?: number): Uint8Array {
  const problem = new KeyFileProblem(
    `${name}: expected ${length === undefined ? "" : `${length} bytes as `}base64`,
  );
  if (typeof value !== "string") throw problem;
  let bytes: Uint8Array;
  try {
    bytes = fromBase64(value, name);
  } catch {
    throw problem;
  }
  if (length !== undefined && bytes.length !== length) throw problem;
  return bytes;
}

function readKey(value: unknown): Uint8Array {
  return readBytes("data.bytes", value, KEY_BYTES);
}

async function unlock(
  { settings, salt, nonce, box }: Locked,
  password: string,
  sodium: Sodium,
): Promise<Uint8Array> {
  const key = await deriveKey(password, salt, settings);
  try {
    return sodium.crypto_secretbox_open_easy(box, nonce, key);
  } catch {
    throw new KeyFileProblem("the password does not open it");
  } finally {
    sodium.memzero(key);
  }
}

async function deriveKey(
  password: string,
  salt: Uint8Array,
  { variant, memory, iterations, parallelism }: LockSettings,
): Promise<Uint8Array> {
  const argon2 = await import("hash-wasm");
  return argon2[VARIANTS[variant]]({
    password,
    salt,
    iterations,
    parallelism,
    memorySize: memory,
    hashLength: KEY_BYTES,
    outputType: "binary",
  });
}

/** Reads a public key file: its base64, with or without a line end. */
export function readPublicKey(text: string): Uint8Array {
  return keyFromBase64(text.trim(), "public key");
}
