import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/** As `nice` counts: less than half of the time of a thread that is not lowered, where both want the processor. */
const NICE = 4;

/**
 * Lets the main threads of this node and of others go first: blocks, consensus and short answers wait for them.
 *
 * Only Linux has priorities of threads, by a file that a restricted container may not have; elsewhere threads are equal.
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
