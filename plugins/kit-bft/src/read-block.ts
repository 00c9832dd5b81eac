import { type Block, blockFromRlp, InvalidTransaction, type Rlp, RlpError } from "@plinth/core";

/** A block inside of a message; throws `RlpError` when there is none, whatever is wrong with it. */
export function readBlock(item: Rlp): Block {
  try {
    return blockFromRlp(item);
  } catch (error) {
    if (!(error instanceof InvalidTransaction)) throw error;
    throw new RlpError(`block: ${error.message}`, { cause: error });
  }
}
