import { createRequire } from "node:module";
import { toHex } from "@plinth/core";
import type { Sidecar } from "@plinth/core/blocks";
import { AnsweringThread } from "@plinth/core/primitives";

/** What the thread is asked: whether the proofs of a sidecar are right. */
export interface ProofQuestion {
  readonly proofsOf: Sidecar["proofsOf"];
  readonly blobs: readonly string[];
  readonly commitments: readonly string[];
  readonly proofs: readonly string[];
}

/** Checks the proofs of blobs on a thread of its own. */
export class ProofChecker {
  // The thread runs what was built, also when the code around it is run from its source.
  readonly #thread = new AnsweringThread<ProofQuestion, boolean>(
    createRequire(import.meta.url).resolve("@plinth/plugin-blobs-kzg/proof-worker"),
    "checks the proofs of blobs",
  );

  /** Whether every proof is right. */
  check({ proofsOf, blobs, commitments, proofs }: Sidecar): Promise<boolean> {
    return this.#thread.ask({
      proofsOf,
      blobs: blobs.map(toHex),
      commitments: commitments.map(toHex),
      proofs: proofs.map(toHex),
    });
  }

  /** Ends the thread; checks under way fail. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
