import type { BlockReplay } from "@plinth/core/chain";
import { Pace } from "./pace.js";

/** Runs the transactions of a block up to one, yielding between them. */
export async function replayTo(
  replay: BlockReplay,
  index: number,
  signal: AbortSignal,
): Promise<void> {
  const pace = new Pace(signal);
  while (replay.position < index) {
    await replay.run();
    await pace.rest();
  }
}
