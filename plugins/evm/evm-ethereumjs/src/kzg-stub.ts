import type { KZG } from "@ethereumjs/util";

/**
 * Stands where EthereumJS requires an implementation of KZG to decode blob transactions.
 *
 * None is used: blobs are verified by the core, and point evaluation is a precompile of kit-precompiles.
 */
export const kzgStub: KZG = {
  verifyProof: unused,
  blobToKzgCommitment: unused,
  computeBlobProof: unused,
  verifyBlobProofBatch: unused,
  computeCells: unused,
  computeCellsAndProofs: unused,
  recoverCellsAndProofs: unused,
  verifyCellKzgProofBatch: unused,
};

function unused(): never {
  throw new Error("EthereumJS is not expected to use KZG");
}
