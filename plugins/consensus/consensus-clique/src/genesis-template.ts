import { ZERO_HASH } from "@plinth/core";
import type { GenesisTemplate } from "@plinth/core/consensus";
import { majorityOf } from "@plinth/kit-poa";
import { unsealedExtraData } from "./extra-data.js";
import { DEFAULT_EPOCH_LENGTH, ENGINE_KEY } from "./settings.js";

/** Template of the genesis file of a Clique network. */
export const cliqueTemplate: GenesisTemplate = {
  engine: ENGINE_KEY,
  title: "Clique",
  // Clique ends with Shanghai.
  forks: { berlinBlock: 0, londonBlock: 0 },
  settings: ({ periodSeconds }) => ({
    blockperiodseconds: periodSeconds,
    epochlength: DEFAULT_EPOCH_LENGTH,
  }),
  members: { difficulty: "0x1", mixHash: ZERO_HASH },
  encodeExtraData: (signers) => unsealedExtraData(new Uint8Array(), [...signers].sort()),
  namespace: "clique",
  voteMethod: "clique_propose",
  mayBeDown: (signers) => signers - majorityOf(signers),
};
