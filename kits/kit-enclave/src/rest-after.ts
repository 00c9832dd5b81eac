import { yieldToLoop } from "@plinth/core";

/** Encoding or encrypting as much takes some milliseconds. */
const LARGE_BYTES = 128 * 1024;

/** Waits for another turn of the event loop where a large payload was worked on, so that no turn does all of the work. */
export async function restAfter(bytes: number): Promise<void> {
  if (bytes > LARGE_BYTES) await yieldToLoop();
}
