// Loaded into a node with `--import`: on SIGUSR2 it collects garbage and prints the remaining
// memory; see `memory.ts`.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc");
  process.on("SIGUSR2", () => {
    // Twice: the second one frees what the first one finalizes.
    collectGarbage();
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    process.stdout.write(`memory in use: ${heapUsed + external}\n`);
  });
}
