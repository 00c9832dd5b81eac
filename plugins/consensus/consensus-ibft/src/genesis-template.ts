import { createGenesisTemplate } from "@plinth/kit-bft";
import { ibftExtraData } from "./extra-data.js";

/** How the genesis file of an IBFT 2.0 network looks. */
export const ibftTemplate = createGenesisTemplate({
  engine: "ibft2",
  title: "IBFT 2.0",
  namespace: "ibft",
  codec: ibftExtraData,
  // It is counted from the block before, and must leave time for the period.
  requestTimeoutSeconds: (periodSeconds) => 2 * periodSeconds + 1,
});
