import { fileURLToPath } from "node:url";

/** The command line that starts this program as another process. */
export const PROGRAM_WORDS: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL("../bin/plinth.js", import.meta.url)),
];
