import type { KZG } from "@ethereumjs/util";

/**
 * Placeholder for the KZG implementation that EthereumJS requires to decode blob transactions.
 *
 * It is never used: blobs are verified by the core, and point evaluation is a precompile of kit-precompiles.
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
