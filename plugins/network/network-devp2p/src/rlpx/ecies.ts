import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  timingSafeEqual,
} from "node:crypto";
import { getCrypto, PeerError } from "@plinth/core";

/**
 * Overhead of encryption: a public key of 65 bytes, an initialization vector of 16 and a tag of 32.
 */
export const ECIES_OVERHEAD = 65 + 16 + 32;

const PUBLIC_KEY_END = 65;
const IV_END = PUBLIC_KEY_END + 16;
const TAG_BYTES = 32;
const UNCOMPRESSED = 0x04;

/** A fresh key and initialization vector for one message. */
export interface EciesSeed {
  readonly privateKey: Uint8Array;
  readonly iv: Uint8Array;
}

/** Encrypts for the owner of a public key (64 bytes); `authenticated` is covered by the tag but not part of it. */
export function encryptEcies(
  plain: Uint8Array,
  {
    publicKey,
    authenticated,
    seed,
  }: {
    readonly publicKey: Uint8Array;
    readonly authenticated: Uint8Array;
    readonly seed: EciesSeed;
  },
): Uint8Array {
  const crypto = getCrypto();
  const { encryption, mac } = deriveKeys(crypto.agree(seed.privateKey, publicKey));
  const cipher = createCipheriv("aes-128-ctr", encryption, seed.iv);
  const secret = Buffer.concat([cipher.update(plain), cipher.final()]);
  const tag = tagOf(mac, [seed.iv, secret, authenticated]);
  return Buffer.concat([
    Uint8Array.of(UNCOMPRESSED),
    crypto.publicKeyOf(seed.privateKey),
    seed.iv,
    secret,
    tag,
  ]);
}

/** Decrypts a message to this node; throws `PeerError` if it is invalid. */
export async function decryptEcies(
  message: Uint8Array,
  {
    agree,
    authenticated,
  }: {
    readonly agree: (publicKey: Uint8Array) => Promise<Uint8Array>;
    readonly authenticated: Uint8Array;
  },
): Promise<Uint8Array> {
  if (message.length < ECIES_OVERHEAD || message[0] !== UNCOMPRESSED) {
    throw new PeerError("breach-of-protocol", "the handshake is not an ECIES message");
  }
  const publicKey = message.subarray(1, PUBLIC_KEY_END);
  const iv = message.subarray(PUBLIC_KEY_END, IV_END);
  const secret = message.subarray(IV_END, message.length - TAG_BYTES);
  const tag = message.subarray(message.length - TAG_BYTES);
  const { encryption, mac } = deriveKeys(await agreeWith(agree, publicKey));
  if (!timingSafeEqual(tagOf(mac, [iv, secret, authenticated]), tag)) {
    throw new PeerError("breach-of-protocol", "the handshake has a wrong tag");
  }
  const decipher = createDecipheriv("aes-128-ctr", encryption, iv);
  return new Uint8Array(Buffer.concat([decipher.update(secret), decipher.final()]));
}

async function agreeWith(
  agree: (publicKey: Uint8Array) => Promise<Uint8Array>,
  publicKey: Uint8Array,
): Promise<Uint8Array> {
  try {
    return await agree(publicKey);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new PeerError("breach-of-protocol", "the handshake has a key off the curve", cause);
  }
}

/** NIST SP 800-56 concatenation with SHA-256: one round yields both keys. */
function deriveKeys(shared: Uint8Array) {
  const counter = Uint8Array.of(0, 0, 0, 1);
  const keys = createHash("sha256").update(counter).update(shared).digest();
  const mac = createHash("sha256").update(keys.subarray(16)).digest();
  return { encryption: keys.subarray(0, 16), mac };
}

function tagOf(key: Uint8Array, parts: readonly Uint8Array[]): Buffer {
  const hmac = createHmac("sha256", key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}
