import { createGenesisTemplate } from "@plinth/kit-bft";
import { qbftExtraData } from "./extra-data.js";

/** How the genesis file of a QBFT network looks. */
export const qbftTemplate = createGenesisTemplate({
  engine: "qbft",
  title: "QBFT",
  namespace: "qbft",
  codec: qbftExtraData,
  // It is counted from the end of the period.
  requestTimeoutSeconds: (periodSeconds) => Math.max(2, periodSeconds),
});
