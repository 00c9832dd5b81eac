/// <reference path="./bcrypt-wasm.d.ts" />
import { randomBytes } from "node:crypto";

const SALT_BYTES = 16;

/**
 * The bcrypt hash of a password of at most 72 bytes, with a new salt; `cost` is the logarithm of
 * the rounds.
 */
export async function hashPassword(password: string, cost: number): Promise<string> {
  const { default: hashWasm } = await import("hash-wasm/dist/bcrypt.umd.min.js");
  const salt = randomBytes(SALT_BYTES);
  return hashWasm.bcrypt({ password, salt, costFactor: cost, outputType: "encoded" });
}

/**
 * Whether a password of at most 72 bytes matches a bcrypt hash.
 *
 * It blocks its thread: for 50 ms or more with a cost of 10.
 */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const { default: hashWasm } = await import("hash-wasm/dist/bcrypt.umd.min.js");
  return hashWasm.bcryptVerify({ password, hash });
}
