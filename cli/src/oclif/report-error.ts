import { handle } from "@oclif/core/handle";

/** Shows the error of an oclif plugin's command like oclif, and ends the process. */
export async function reportError(error: unknown): Promise<void> {
  // The help for invalid flags would be searched by all arguments, including the node's options.
  await handle(Object.assign(Object(error), { showHelp: false }));
}
