import { optional } from "@plinth/core";
import { enclave } from "@plinth/plugin-enclave/api";
import { tessera } from "@plinth/plugin-enclave-tessera/api";

/** The manager: one inside the node, or the way to one outside. */
export const dependencies = { enclave: optional(enclave), tessera } as const;
