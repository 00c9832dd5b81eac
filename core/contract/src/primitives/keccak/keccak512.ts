/// <reference path="./keccak-wasm.d.ts" />

/** Loads the Keccak-512 hash, 64 bytes; only proof of work needs it, so it is loaded on demand. */
export async function loadKeccak512(): Promise<(bytes: Uint8Array) => Uint8Array> {
  const { default: hashWasm } = await import("hash-wasm/dist/keccak.umd.min.js");
  const hasher = await hashWasm.createKeccak(512);
  return (bytes) => hasher.init().update(bytes).digest("binary");
}
