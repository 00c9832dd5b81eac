import type { Secp256k1, Secp256k1Backend } from "./secp256k1.js";

/** Loads the curve with the given back end; rejects if it is not installed. */
export async function loadSecp256k1(backend: Secp256k1Backend): Promise<Secp256k1> {
  const { secp256k1 } =
    backend === "native"
      ? await import("./secp256k1-native.js")
      : await import("./secp256k1-wasm.js");
  return secp256k1;
}

/** Loads the fastest installed back end. */
export async function loadFastestSecp256k1(): Promise<Secp256k1> {
  try {
    return await loadSecp256k1("native");
  } catch {
    return await loadSecp256k1("wasm");
  }
}
