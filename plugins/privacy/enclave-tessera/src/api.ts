import { defineService } from "@plinth/core";
import type { EnclaveLink } from "@plinth/kit-enclave";

/** Opens the way to the private transaction manager that `--privacy-url` names. */
export interface Tessera {
  /** Throws `ConfigError` where the options do not describe one. */
  open(): Promise<EnclaveLink>;
}

/** The way to a manager outside of the node. */
export const tessera = defineService<Tessera>("enclave-tessera", {
  hint: "@plinth/plugin-enclave-tessera",
});
