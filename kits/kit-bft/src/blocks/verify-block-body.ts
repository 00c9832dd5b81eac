import { type Block, InvalidBlock } from "@plinth/core";
import { verifyBodyInTurns } from "@plinth/core/rules";
import { Rejected } from "../messages/rejected.js";

/**
 * Rejects with `Rejected` unless the header of a block commits to its body.
 *
 * Hashes, seals and signatures cover the header only, so that a known hash proves nothing about the
 * body that came with it.
 */
export async function verifyBlockBody(block: Block): Promise<void> {
  try {
    await verifyBodyInTurns(block, "chain");
  } catch (error) {
    if (error instanceof InvalidBlock) throw new Rejected(error.rule, error.message);
    throw error;
  }
}
