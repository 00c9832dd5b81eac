import { encodeRlp, type Hash, keccak256, RlpError, toHex } from "@plinth/core";
import { decodeItems } from "./decode-items.js";
import type { CodesFile } from "./manifest.js";

/** The code of contracts; the hash is computed from it. */
export interface HashedCode {
  readonly hash: Hash;
  readonly code: Uint8Array;
}

/** Encodes codes. */
export function encodeCodes(codes: readonly Uint8Array[]): Uint8Array {
  return encodeRlp(codes);
}

/** Decodes the codes of a file; throws `SnapshotError` if it is malformed. */
export function decodeCodes(bytes: Uint8Array, file: CodesFile): readonly HashedCode[] {
  return decodeItems(bytes, file, (code) => {
    if (!(code instanceof Uint8Array)) throw new RlpError("a list, expected the bytes of a code");
    return { hash: toHex(keccak256(code)), code };
  });
}
