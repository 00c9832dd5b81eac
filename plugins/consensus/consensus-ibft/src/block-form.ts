import { BlockForm } from "@plinth/kit-bft";
import { ibftExtraData } from "./extra-data.js";

/** Hashes and forms of IBFT 2.0 blocks. */
export const ibftForm = new BlockForm(ibftExtraData);
