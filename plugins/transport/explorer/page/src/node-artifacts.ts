import { InvalidFile } from "./abi/artifact.js";
import { addOutput } from "./abi/book.js";
import { attempt } from "./rpc.js";

/** Adds the contracts of the project that a development chain runs for, if it is one. */
export async function addNodeArtifacts(): Promise<void> {
  const found = await attempt<{ readonly contracts: object }>("plinth_artifacts");
  if (found === undefined) return;
  try {
    addOutput("artifacts of the node", found);
  } catch (error) {
    // A project without contracts.
    if (!(error instanceof InvalidFile)) throw error;
  }
}
