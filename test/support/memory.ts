import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { until } from "./poller.js";
import { ROOT, type RunningNode } from "./program.js";

/** The environment that a node needs so that its memory can be measured. */
export const MEASURABLE = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(ROOT, "test/support/memory-probe.mjs"))}`,
};

/** The memory of a node, in bytes. */
export interface Memory {
  /** The live objects of its main thread. */
  readonly inUse: number;
  /** The resident memory of the process, without the mapped files of its database. */
  readonly resident: number;
}

/** Makes a node collect its garbage, and measures the rest. */
export async function measureMemory(node: RunningNode): Promise<Memory> {
  const before = reportsOf(node).length;
  process.kill(node.pid, "SIGUSR2");
  const inUse = await until(async () => reportsOf(node)[before]);
  const status = readFileSync(`/proc/${node.pid}/status`, "utf8");
  return { inUse, resident: Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]) * 1024 };
}

function reportsOf(node: RunningNode): readonly number[] {
  return [...node.output().matchAll(/^memory in use: (\d+)$/gm)].map(([, bytes]) => Number(bytes));
}
