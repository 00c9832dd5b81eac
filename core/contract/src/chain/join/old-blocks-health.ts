import type { Health } from "../../kernel/watch/health.js";
import type { BlockReader } from "../block-reader.js";

/** From which block on a chain that was joined has its blocks, as a health check. */
export function checkOldBlocks(blocks: Pick<BlockReader, "firstRetained">): Health {
  const first = blocks.firstRetained();
  if (first === 0n) return { status: "up" };
  return { status: "up", detail: `old blocks are here from block ${first} on` };
}
