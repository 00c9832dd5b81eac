import type { Secp256k1, Secp256k1Backend } from "./secp256k1.js";

/** Loads the curve with the back-end asked for; rejects when it is not installed here. */
export async function loadSecp256k1(backend: Secp256k1Backend): Promise<Secp256k1> {
  const { secp256k1 } =
    backend === "native"
      ? await import("./secp256k1-native.js")
      : await import("./secp256k1-wasm.js");
  return secp256k1;
}

/** Loads the fastest back-end that is installed. */
export async function loadFastestSecp256k1(): Promise<Secp256k1> {
  try {
    return await loadSecp256k1("native");
  } catch {
    return await loadSecp256k1("wasm");
  }
}
