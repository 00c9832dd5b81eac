/** The part of the package `secp256k1` that we use; it brings no types of its own. */
declare module "secp256k1/bindings.js" {
  const bindings: {
    contextRandomize(seed: Uint8Array): void;
    publicKeyCreate(privateKey: Uint8Array, compressed: boolean): Uint8Array;
    ecdsaSign(
      hash: Uint8Array,
      privateKey: Uint8Array,
    ): { readonly signature: Uint8Array; readonly recid: number };
    ecdsaRecover(
      signature: Uint8Array,
      recid: number,
      hash: Uint8Array,
      compressed: boolean,
    ): Uint8Array;
    ecdh(
      publicKey: Uint8Array,
      privateKey: Uint8Array,
      options: { readonly hashfn: (x: Uint8Array, y: Uint8Array) => Uint8Array },
      output: Uint8Array,
    ): Uint8Array;
  };
  export default bindings;
}
