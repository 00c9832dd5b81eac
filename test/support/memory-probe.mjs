// Loaded into a node with `--import`: on SIGUSR2 it collects garbage and prints what is left; see `memory.ts`.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc");
  process.on("SIGUSR2", () => {
    // Twice: what the first one finalizes, the second one frees.
    collectGarbage();
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    process.stdout.write(`memory in use: ${heapUsed + external}\n`);
  });
}
