import { type Block, blockFromRlp, InvalidTransaction, type Rlp, RlpError } from "@plinth/core";
import type { BftExtraDataCodec } from "./extra-data.js";

/** A block inside of a message; throws `RlpError` when there is none, whatever is wrong with it. */
export function readBlock(item: Rlp, codec: BftExtraDataCodec): Block {
  try {
    const block = blockFromRlp(item);
    // Its hashes are made from the extra data, so that no later step meets bytes that are none.
    codec.decode(block.header.extraData);
    return block;
  } catch (error) {
    if (!(error instanceof InvalidTransaction)) throw error;
    throw new RlpError(`block: ${error.message}`, { cause: error });
  }
}
