import { createECDH, ECDH } from "node:crypto";
import { type Address, type Hex, loadCrypto, PlinthError, parseHex, toHex } from "@plinth/core";

/** The keys of a node; with a private one only if it was generated here. */
export interface NodeKeys {
  readonly address: Address;
  /** 64 bytes. */
  readonly publicKey: Hex;
  readonly privateKey?: Hex;
}

/** Curves by their names in genesis files, with those of OpenSSL. */
const CURVES = { secp256k1: "secp256k1", secp256r1: "prime256v1" } as const;

/** A curve that networks use. */
export type Curve = keyof typeof CURVES;

const PUBLIC_KEY_BYTES = 64;
const PRIVATE_KEY_BYTES = 32;
/** Prefix of the two coordinates of a point. */
const UNCOMPRESSED = 0x04;

/** The curve that a genesis file names. */
export function readCurve(name: unknown): Curve {
  const found = Object.keys(CURVES).find((each): each is Curve => each === (name ?? "secp256k1"));
  if (found !== undefined) return found;
  throw new PlinthError("INPUT_INVALID", {
    message: `Invalid parameter for ecCurve in genesis config: ${name} is not in the list of valid elliptic curves [${Object.keys(CURVES).join(", ")}]`,
  });
}

/** Generates the keys of a node. */
export async function createKeys(curve: Curve): Promise<NodeKeys> {
  const pair = createECDH(CURVES[curve]);
  const point = pair.generateKeys();
  const privateKey = Buffer.alloc(PRIVATE_KEY_BYTES);
  const bytes = pair.getPrivateKey();
  // OpenSSL omits leading zeros.
  bytes.copy(privateKey, PRIVATE_KEY_BYTES - bytes.length);
  return { ...(await describePublicKey(point.subarray(1))), privateKey: toHex(privateKey) };
}

/** The keys of a node whose public key is in a file, with or without `0x`. */
export async function readPublicKey(value: unknown, curve: Curve): Promise<NodeKeys> {
  if (typeof value !== "string") {
    throw new PlinthError("INPUT_INVALID", {
      message: `Invalid key json of type: ${typeOf(value)}`,
    });
  }
  const bytes = parseHex(value);
  if (bytes?.length !== PUBLIC_KEY_BYTES || !isOnCurve(bytes, curve)) {
    throw new PlinthError("INPUT_INVALID", {
      message: `${value} is not a valid public key for elliptic curve ${curve}; expected ${2 * PUBLIC_KEY_BYTES} hex digits of a point`,
    });
  }
  return describePublicKey(bytes);
}

async function describePublicKey(publicKey: Uint8Array): Promise<NodeKeys> {
  const crypto = await loadCrypto();
  return { address: crypto.addressOf(publicKey), publicKey: toHex(publicKey) };
}

function isOnCurve(publicKey: Uint8Array, curve: Curve): boolean {
  try {
    ECDH.convertKey(Buffer.from([UNCOMPRESSED, ...publicKey]), CURVES[curve]);
    return true;
  } catch {
    // OpenSSL has one error for every invalid point.
    return false;
  }
}

/** The JSON type names used in messages. */
function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "ARRAY";
  return value === null ? "NULL" : (typeof value).toUpperCase();
}
