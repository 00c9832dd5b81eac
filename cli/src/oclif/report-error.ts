import { handle } from "@oclif/core/handle";

/** Shows the error of an oclif plugin's command as oclif does, and ends the process. */
export async function reportError(error: unknown): Promise<void> {
  // The help that goes with wrong flags would be looked for by all words, the node's options among them.
  await handle(Object.assign(Object(error), { showHelp: false }));
}
