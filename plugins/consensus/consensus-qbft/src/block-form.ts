import { BlockForm } from "@plinth/kit-bft";
import { qbftExtraData } from "./extra-data.js";

/** Hashes and forms of QBFT blocks. */
export const qbftForm = new BlockForm(qbftExtraData);
