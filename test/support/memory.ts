import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { until } from "./poller.js";
import { ROOT, type RunningNode } from "./program.js";

/** What a node needs in its environment so that its memory can be measured. */
export const MEASURABLE = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(ROOT, "test/support/memory-probe.mjs"))}`,
};

/** What a node occupies, in bytes. */
export interface Memory {
  /** What objects of its main thread take that are still referred to. */
  readonly inUse: number;
  /** What the process has from the system, without the mapped files of its database. */
  readonly resident: number;
}

/** Makes a node collect its garbage, and measures what it keeps. */
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
