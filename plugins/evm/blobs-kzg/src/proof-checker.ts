import { createRequire } from "node:module";
import { toHex } from "@plinth/core";
import type { Sidecar } from "@plinth/core/blocks";
import { AnsweringThread } from "@plinth/core/primitives";

/** Request to the thread: whether the proofs of a sidecar are valid. */
export interface ProofQuestion {
  readonly proofsOf: Sidecar["proofsOf"];
  readonly blobs: readonly string[];
  readonly commitments: readonly string[];
  readonly proofs: readonly string[];
}

/** Verifies the proofs of blobs on a separate thread. */
export class ProofChecker {
  // The thread runs the built file, even if the surrounding code is run from source.
  readonly #thread = new AnsweringThread<ProofQuestion, boolean>(
    createRequire(import.meta.url).resolve("@plinth/plugin-blobs-kzg/proof-worker"),
    "verifies the proofs of blobs",
  );

  /** Whether every proof is valid. */
  check({ proofsOf, blobs, commitments, proofs }: Sidecar): Promise<boolean> {
    return this.#thread.ask({
      proofsOf,
      blobs: blobs.map(toHex),
      commitments: commitments.map(toHex),
      proofs: proofs.map(toHex),
    });
  }

  /** Terminates the thread; verifications in progress fail. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
