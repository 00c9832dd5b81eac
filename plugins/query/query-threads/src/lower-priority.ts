import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/**
 * A `nice` value: less than half of the CPU time of a thread with normal priority, if both compete.
 */
const NICE = 4;

/**
 * Gives priority to the main threads of this node and of others: blocks, consensus and short calls depend on them.
 *
 * Only Linux has thread priorities, through a file that a restricted container may lack; elsewhere threads are equal.
 */
export function lowerPriority(): void {
  const thread = findThreadId();
  if (thread !== undefined) setPriority(thread, NICE);
}

function findThreadId(): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const id = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    return Number.isInteger(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
