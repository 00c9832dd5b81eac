import { optional } from "@plinth/core";
import { addressIndex } from "@plinth/plugin-address-index/api";

/** The services that methods use. */
export const dependencies = { addresses: optional(addressIndex) };
