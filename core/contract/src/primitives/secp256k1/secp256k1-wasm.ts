import { createECDH } from "node:crypto";
import { pointFromScalar, recover, signRecoverable } from "tiny-secp256k1";
import { createSecp256k1 } from "./secp256k1.js";

/** The curve by libsecp256k1 compiled to WebAssembly; importing this file compiles it. */
export const secp256k1 = createSecp256k1({
  backend: "wasm",
  computePublicKey(privateKey) {
    const publicKey = pointFromScalar(privateKey, false);
    if (publicKey === null) throw new RangeError("the private key has no public key");
    return publicKey;
  },
  sign(hash, privateKey) {
    const { signature, recoveryId } = signRecoverable(hash, privateKey);
    return { signature, recovery: recoveryId };
  },
  recover(hash, signature, recovery) {
    const publicKey = recover(hash, signature, recovery, false);
    if (publicKey === null) throw new RangeError("the signature has no public key");
    return publicKey;
  },
  agree(privateKey, publicKey) {
    // Not `pointMultiply`: its time depends on the private key, and any peer may request an
    // agreement.
    const ecdh = createECDH("secp256k1");
    ecdh.setPrivateKey(privateKey);
    return new Uint8Array(ecdh.computeSecret(publicKey));
  },
});
