import { yieldToLoop } from "@plinth/core";

/** Encoding or encrypting this much takes some milliseconds. */
const LARGE_BYTES = 128 * 1024;

/** Yields to the event loop after work on a large payload, so that no turn does all of the work. */
export async function restAfter(bytes: number): Promise<void> {
  if (bytes > LARGE_BYTES) await yieldToLoop();
}
