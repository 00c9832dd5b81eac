import { optional } from "@plinth/core";
import { enclave } from "@plinth/plugin-enclave/api";
import { tessera } from "@plinth/plugin-enclave-tessera/api";

/** The private transaction manager: embedded in the node, or a client of a remote one. */
export const dependencies = { enclave: optional(enclave), tessera } as const;
