import type { Sidecar } from "../blocks/blob-sidecar.js";
import { defineContributionPoint } from "../kernel/contributions.js";

/** Verifies the KZG proofs of blobs. */
export interface BlobProofVerifier {
  readonly name: string;
  /** Whether every proof is valid; rejects if they cannot be verified. */
  verify(sidecar: Sidecar): Promise<boolean>;
}

/**
 * The contribution point of verifiers; the first one is used, and without any the pool rejects blob
 * transactions.
 */
export const blobProofVerifiers = defineContributionPoint<BlobProofVerifier>("pool.blobProofs", {
  summary: "Verifiers of the KZG proofs of blob transactions.",
  key: { label: "verifier", of: ({ name }) => name },
});
