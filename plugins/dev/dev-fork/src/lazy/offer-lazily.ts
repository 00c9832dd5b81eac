import { InvariantError } from "@plinth/core";
import type { JoinTarget, OfferedChain } from "@plinth/core/chain";
import { type BlockOffer, offerBlock } from "../clone/offer-block.js";

/** A block of another node whose state stays there. */
export function offerLazily(
  offer: BlockOffer,
  target: Pick<JoinTarget, "chainId" | "genesis" | "signal">,
): Promise<OfferedChain> {
  return offerBlock(offer, target, {
    isStateElsewhere: true,
    parts: { headers: 0, codes: 0, states: 0 },
    async *readStates() {},
    readBlock: () => Promise.reject(new InvariantError("the block stays at the other node")),
  });
}
