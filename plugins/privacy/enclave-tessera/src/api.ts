import { defineService } from "@plinth/core";
import type { EnclaveLink } from "@plinth/kit-enclave";

/** Connects to the private transaction manager at `--privacy-url`. */
export interface Tessera {
  /** Throws `ConfigError` if the options are invalid. */
  open(): Promise<EnclaveLink>;
}

/** Client of a remote manager. */
export const tessera = defineService<Tessera>("enclave-tessera", {
  hint: "@plinth/plugin-enclave-tessera",
});
