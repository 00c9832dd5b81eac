import { type Address, defineService, type SealedHeader } from "@plinth/core";
import type { StandingProposals } from "@plinth/kit-poa";

/** What other plugins ask a QBFT chain. */
export interface QbftChain {
  readonly requestTimeoutSeconds: number;
  readonly proposals: StandingProposals;
  /** Whether a contract names the validators of the block after a header. */
  isContract(header: SealedHeader): boolean;
  /** The validators that the header of a block lists, in ascending order; of genesis its own. */
  listedIn(header: SealedHeader): readonly Address[];
  /** Who may propose and seal the block after a header. */
  validatorsAfter(header: SealedHeader): Promise<readonly Address[]>;
  /** The same by votes alone: no transition replaces them. */
  votedAfter(header: SealedHeader): readonly Address[];
}

/** QBFT, for plugins that ask about validators. */
export const qbftChain = defineService<QbftChain>("consensus-qbft.chain", {
  hint: "@plinth/plugin-consensus-qbft",
});

export { qbftExtraData } from "./extra-data.js";
