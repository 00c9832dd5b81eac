/** The library that implements the curve. */
export type Secp256k1Backend = "native" | "wasm";

/** A signature over a 32-byte hash. */
export interface Signature {
  readonly r: Uint8Array;
  readonly s: Uint8Array;
  readonly recovery: 0 | 1;
}

/**
 * The operations on the curve secp256k1 that Ethereum needs.
 *
 * A malformed key or hash throws a `RangeError` that never contains it.
 */
export interface Secp256k1 {
  readonly backend: Secp256k1Backend;
  /**
   * Whether the bytes are a private key: 32 of them, above zero and below the order of the curve.
   */
  isPrivateKey(bytes: Uint8Array): boolean;
  /** The public key of a private key: 64 bytes, without the leading format byte. */
  publicKeyOf(privateKey: Uint8Array): Uint8Array;
  /** Signs a 32-byte hash; the same input always gives the same signature (RFC 6979), with a low `s`. */
  sign(hash: Uint8Array, privateKey: Uint8Array): Signature;
  /**
   * The public key that made a signature over a 32-byte hash; 64 bytes.
   *
   * A high `s` is accepted. Throws a `RangeError` for a signature that no key can have made.
   */
  recover(hash: Uint8Array, signature: Signature): Uint8Array;
  /** The secret two keys share: the x coordinate, 32 bytes. */
  agree(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array;
}

/** The operations of a library; its arguments are validated, public keys have their format byte. */
export interface CurveLibrary {
  readonly backend: Secp256k1Backend;
  computePublicKey(privateKey: Uint8Array): Uint8Array;
  sign(
    hash: Uint8Array,
    privateKey: Uint8Array,
  ): { readonly signature: Uint8Array; readonly recovery: number };
  /** Throws if there is no such key; `signature` is `r` and `s`, 64 bytes. */
  recover(hash: Uint8Array, signature: Uint8Array, recovery: 0 | 1): Uint8Array;
  /** Throws if the public key is not on the curve. */
  agree(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array;
}

const HASH_BYTES = 32;
const PRIVATE_KEY_BYTES = 32;
const PUBLIC_KEY_BYTES = 64;
/** SEC 1: the byte before the two coordinates of a public key. */
const UNCOMPRESSED = 0x04;

const ZERO = new Uint8Array(PRIVATE_KEY_BYTES);
/** SEC 2, section 2.4.1: the order of the curve. */
const ORDER = Buffer.from(
  "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
  "hex",
);

/** Wraps a library with the checks that every back end shares. */
export function createSecp256k1(library: CurveLibrary): Secp256k1 {
  return {
    backend: library.backend,
    isPrivateKey: isScalar,

    publicKeyOf(privateKey) {
      verifyPrivateKey(privateKey);
      return library.computePublicKey(privateKey).slice(1);
    },

    sign(hash, privateKey) {
      verifyPrivateKey(privateKey);
      verifyHash(hash);
      const { signature, recovery } = library.sign(hash, privateKey);
      // 2 and 3 mean that r overflowed the order: one signature in 2^128, and Ethereum cannot express it.
      if (recovery !== 0 && recovery !== 1) throw new RangeError("the hash cannot be signed");
      return { r: signature.slice(0, 32), s: signature.slice(32, 64), recovery };
    },

    recover(hash, { r, s, recovery }) {
      verifyHash(hash);
      if (!isScalar(r) || !isScalar(s)) {
        throw new RangeError(
          "r and s are 32 bytes each, above zero and below the order of secp256k1",
        );
      }
      const signature = new Uint8Array(r.length + s.length);
      signature.set(r);
      signature.set(s, r.length);
      try {
        return library.recover(hash, signature, recovery).slice(1);
      } catch (cause) {
        throw new RangeError("no public key can be recovered from the signature", { cause });
      }
    },

    agree(privateKey, publicKey) {
      verifyPrivateKey(privateKey);
      if (publicKey.length !== PUBLIC_KEY_BYTES) {
        throw new RangeError(
          `a public key has ${PUBLIC_KEY_BYTES} bytes, this one has ${publicKey.length}`,
        );
      }
      const uncompressed = new Uint8Array(1 + PUBLIC_KEY_BYTES);
      uncompressed[0] = UNCOMPRESSED;
      uncompressed.set(publicKey, 1);
      try {
        return library.agree(privateKey, uncompressed);
      } catch (cause) {
        throw new RangeError("the public key is not a point of secp256k1", { cause });
      }
    },
  };
}

/** Private keys, `r` and `s` have the same range. */
function isScalar(bytes: Uint8Array): boolean {
  return (
    bytes.length === PRIVATE_KEY_BYTES &&
    Buffer.compare(bytes, ZERO) > 0 &&
    Buffer.compare(bytes, ORDER) < 0
  );
}

function verifyPrivateKey(bytes: Uint8Array): void {
  if (!isScalar(bytes)) {
    throw new RangeError(
      `a private key is ${PRIVATE_KEY_BYTES} bytes, above zero and below the order of secp256k1`,
    );
  }
}

function verifyHash(bytes: Uint8Array): void {
  if (bytes.length !== HASH_BYTES) {
    throw new RangeError(`a signed hash has ${HASH_BYTES} bytes, this one has ${bytes.length}`);
  }
}
