import { fileURLToPath } from "node:url";

/** The words that start this program as another process. */
export const PROGRAM_WORDS: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL("../bin/plinth.js", import.meta.url)),
];
