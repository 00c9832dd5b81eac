import { decodeRlp, encodeRlp, getCrypto, keccak256, PeerError, type Rlp } from "@plinth/core";
import { rlpLength } from "@plinth/core/primitives";

/** The initiator's message: its identity, with a signature by its ephemeral key. */
export interface Auth {
  readonly publicKey: Uint8Array;
  readonly nonce: Uint8Array;
  readonly signature: Uint8Array;
}

/** The recipient's response. */
export interface Ack {
  readonly ephemeralPublicKey: Uint8Array;
  readonly nonce: Uint8Array;
}

const KEY_BYTES = 64;
const NONCE_BYTES = 32;
const SIGNATURE_BYTES = 65;
const VERSION = Uint8Array.of(4);
/**
 * Layout before EIP-8, without a list: signature, hash of the ephemeral key, key, nonce and a flag.
 */
export const LEGACY_AUTH_BYTES = SIGNATURE_BYTES + 32 + KEY_BYTES + NONCE_BYTES + 1;
/** Ephemeral key, nonce and a flag. */
export const LEGACY_ACK_BYTES = KEY_BYTES + NONCE_BYTES + 1;

/** Encodes the EIP-8 list, without padding. */
export function encodeAuth({ signature, publicKey, nonce }: Auth): Uint8Array {
  return encodeRlp([signature, publicKey, nonce, VERSION]);
}

/** Decodes the EIP-8 list; items after the nonce and bytes after the list are ignored. */
export function decodeAuth(plain: Uint8Array): Auth {
  const items = readList(plain);
  return {
    signature: bytesOf("the signature", items[0], SIGNATURE_BYTES),
    publicKey: bytesOf("the public key", items[1], KEY_BYTES),
    nonce: bytesOf("the nonce", items[2], NONCE_BYTES),
  };
}

/** Decodes the form before EIP-8. */
export function decodeLegacyAuth(plain: Uint8Array): Auth {
  const keyAt = SIGNATURE_BYTES + 32;
  const publicKey = plain.slice(keyAt, keyAt + KEY_BYTES);
  const nonce = plain.slice(keyAt + KEY_BYTES, keyAt + KEY_BYTES + NONCE_BYTES);
  return { signature: plain.slice(0, SIGNATURE_BYTES), publicKey, nonce };
}

/** Encodes the EIP-8 list, without padding. */
export function encodeAck({ ephemeralPublicKey, nonce }: Ack): Uint8Array {
  return encodeRlp([ephemeralPublicKey, nonce, VERSION]);
}

/** Decodes the EIP-8 list. */
export function decodeAck(plain: Uint8Array): Ack {
  const items = readList(plain);
  return {
    ephemeralPublicKey: bytesOf("the ephemeral key", items[0], KEY_BYTES),
    nonce: bytesOf("the nonce", items[1], NONCE_BYTES),
  };
}

/** Encodes the form before EIP-8, for an initiator that uses it. */
export function encodeLegacyAck({ ephemeralPublicKey, nonce }: Ack): Uint8Array {
  return Buffer.concat([ephemeralPublicKey, nonce, Uint8Array.of(0)]);
}

/** Decodes the form before EIP-8. */
export function decodeLegacyAck(plain: Uint8Array): Ack {
  const nonce = plain.slice(KEY_BYTES, KEY_BYTES + NONCE_BYTES);
  return { ephemeralPublicKey: plain.slice(0, KEY_BYTES), nonce };
}

/** The initiator's signature: the ephemeral key signs the static secret XORed with the nonce. */
export function signAuth(
  staticSecret: Uint8Array,
  nonce: Uint8Array,
  ephemeralPrivateKey: Uint8Array,
): Uint8Array {
  const { r, s, recovery } = getCrypto().sign(xor(staticSecret, nonce), ephemeralPrivateKey);
  return Buffer.concat([r, s, Uint8Array.of(recovery)]);
}

/** Recovers the ephemeral public key from the signature of an auth message. */
export function recoverEphemeralKey(auth: Auth, staticSecret: Uint8Array): Uint8Array {
  const { signature, nonce } = auth;
  const recovery = signature[64];
  if (recovery !== 0 && recovery !== 1) {
    throw new PeerError("breach-of-protocol", `the recovery byte is ${recovery}, expected 0 or 1`);
  }
  const parts = { r: signature.slice(0, 32), s: signature.slice(32, 64), recovery } as const;
  try {
    return getCrypto().recover(xor(staticSecret, nonce), parts);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new PeerError("breach-of-protocol", "the signature of the handshake is invalid", cause);
  }
}

/** XOR of two arrays of the same length. */
export function xor(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((byte, index) => byte ^ (other[index] ?? 0));
}

/** The Keccak-256 hash of concatenated parts. */
export function keccakOf(...parts: readonly Uint8Array[]): Uint8Array {
  return keccak256(Buffer.concat(parts));
}

function readList(plain: Uint8Array): readonly Rlp[] {
  const length = rlpLength(plain);
  const list = decodeRlp(plain.subarray(0, length));
  if (list instanceof Uint8Array) {
    throw new PeerError("breach-of-protocol", "the handshake is not a list");
  }
  return list;
}

function bytesOf(what: string, item: Rlp | undefined, length: number): Uint8Array {
  if (item instanceof Uint8Array && item.length === length) return item;
  throw new PeerError(
    "breach-of-protocol",
    `${what} of the handshake does not have ${length} bytes`,
  );
}
