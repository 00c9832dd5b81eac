import type { KZG } from "@ethereumjs/util";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { withoutPrefix } from "@plinth/core";

const { G1, G2, fields } = bls12_381;

/** The second point of the set-up in the other group: the secret of the KZG ceremony times the generator. */
const SECRET =
  "b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2";

/** What EthereumJS looks for in a message; other errors would look like a revert. */
const BAD_ARGUMENT = "C_KZG_BADARGS";

let secret: ReturnType<typeof G2.Point.fromHex> | undefined;

/**
 * As much of KZG as running code needs: the proof that a polynomial has a value at a point (EIP-4844).
 *
 * One point of the ceremony's set-up is enough for that; it is decoded when the first proof arrives.
 */
export const pointEvaluation: KZG = {
  verifyProof,
  blobToKzgCommitment: refuse,
  computeBlobProof: refuse,
  verifyBlobProofBatch: refuse,
  computeCells: refuse,
  computeCellsAndProofs: refuse,
  recoverCellsAndProofs: refuse,
  verifyCellKzgProofBatch: refuse,
};

/** Throws when an argument is no scalar, or no point of the group. */
function verifyProof(commitment: string, z: string, y: string, proof: string): boolean {
  secret ??= G2.Point.fromHex(SECRET);
  const [at, value] = [readScalar(z), readScalar(y)];
  const [polynomial, quotient] = [readPoint(commitment), readPoint(proof)];
  // polynomial - value = quotient * (secret - at), compared by a pairing on either side.
  const left = polynomial.subtract(G1.Point.BASE.multiplyUnsafe(value));
  const right = secret.subtract(G2.Point.BASE.multiplyUnsafe(at));
  const product = bls12_381.pairingBatch(
    [
      { g1: left, g2: G2.Point.BASE.negate() },
      { g1: quotient, g2: right },
    ].filter(({ g1, g2 }) => !g1.is0() && !g2.is0()),
  );
  return fields.Fp12.eql(product, fields.Fp12.ONE);
}

function readPoint(hex: string) {
  try {
    const point = G1.Point.fromHex(withoutPrefix(hex));
    if (!point.is0()) point.assertValidity();
    return point;
  } catch (cause) {
    throw new RangeError(`${BAD_ARGUMENT}: ${hex} is no point of the group`, { cause });
  }
}

function readScalar(hex: string): bigint {
  const scalar = BigInt(hex);
  if (scalar < fields.Fr.ORDER) return scalar;
  throw new RangeError(`${BAD_ARGUMENT}: ${hex} is not below the order of the group`);
}

function refuse(): never {
  throw new Error("blobs are verified before they come to the EVM");
}
