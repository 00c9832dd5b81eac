import { defineService } from "@plinth/core";
import type { BftChain } from "@plinth/kit-bft";

export { ibft } from "./dialect.js";
export { ibftExtraData } from "./extra-data.js";

/** Service key of IBFT 2.0, for plugins that query validators. */
export const ibftChain = defineService<BftChain>("consensus-ibft.chain", {
  hint: "@plinth/plugin-consensus-ibft",
});
