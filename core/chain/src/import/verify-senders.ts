import { type Block, InvalidBlock, InvalidTransaction, Yielder } from "@plinth/core";

/** Recovers the senders of a block, yielding to the event loop; rejects with `InvalidBlock` if a signature has none. */
export async function verifySenders({ header, body }: Block): Promise<void> {
  const turns = new Yielder("chain");
  for (const [index, transaction] of body.transactions.entries()) {
    try {
      void transaction.sender;
    } catch (error) {
      if (!(error instanceof InvalidTransaction)) throw error;
      const problem = `block ${header.number}: transaction ${index}: ${error.message}`;
      throw new InvalidBlock("sender", problem);
    }
    if (turns.isDue) await turns.yield();
  }
}
