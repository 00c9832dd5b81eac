import { createPublicKey, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { ConfigError, messageOf } from "@plinth/core";
import type { Algorithm } from "./options.js";

/** The curves of the algorithms that need one. */
const CURVES: Readonly<Partial<Record<Algorithm, string>>> = {
  ES256: "prime256v1",
  ES384: "secp384r1",
  ES512: "secp521r1",
};
const MIN_RSA_BITS = 2048;

/** The public key of a token issuer; throws if it is invalid, or does not match the algorithm. */
export async function readPublicKey(path: string, algorithm: Algorithm): Promise<KeyObject> {
  const pem = await readPem(path);
  if (pem.includes("PRIVATE KEY-----")) {
    throw invalid(path, "it contains a private key; expected the public key of the issuer");
  }
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch {
    throw invalid(path, "expected a public key or a certificate in PEM");
  }
  verifyKind(path, key, algorithm);
  return key;
}

function verifyKind(path: string, key: KeyObject, algorithm: Algorithm): void {
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details = {} } = key;
  const curve = CURVES[algorithm];
  const found = `${kind} ${details.namedCurve ?? details.modulusLength ?? ""}`.trim();
  if (curve === undefined) {
    if (kind === "rsa" && (details.modulusLength ?? 0) >= MIN_RSA_BITS) return;
    throw invalid(
      path,
      `${algorithm} needs an RSA key of at least ${MIN_RSA_BITS} bits, not ${found}`,
    );
  }
  if (kind === "ec" && details.namedCurve === curve) return;
  throw invalid(path, `${algorithm} needs a key on the curve ${curve}, not ${found}`);
}

async function readPem(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw invalid(path, messageOf(error));
  }
}

function invalid(path: string, reason: string): ConfigError {
  return new ConfigError("PUBLIC_KEY_INVALID", { message: `${path}: ${reason}` });
}
