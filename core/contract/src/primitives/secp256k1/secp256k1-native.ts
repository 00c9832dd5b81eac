/// <reference path="./secp256k1-bindings.d.ts" />
import { randomBytes } from "node:crypto";
// Not the package's main entry: without a binary it silently falls back to elliptic, 17 times
// slower.
import bindings from "secp256k1/bindings.js";
import { createSecp256k1 } from "./secp256k1.js";

// Blinds the computations with private keys against side channels.
bindings.contextRandomize(randomBytes(32));

/** The curve by libsecp256k1; importing this file fails if its binary is missing. */
export const secp256k1 = createSecp256k1({
  backend: "native",
  computePublicKey: (privateKey) => bindings.publicKeyCreate(privateKey, false),
  sign(hash, privateKey) {
    const { signature, recid } = bindings.ecdsaSign(hash, privateKey);
    return { signature, recovery: recid };
  },
  recover: (hash, signature, recovery) => bindings.ecdsaRecover(signature, recovery, hash, false),
  agree: (privateKey, publicKey) =>
    bindings.ecdh(publicKey, privateKey, { hashfn: (x) => x }, new Uint8Array(32)),
});
