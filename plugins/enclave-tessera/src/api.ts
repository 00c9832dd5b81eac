import { defineService } from "@plinth/core";
import type { EnclaveLink } from "@plinth/kit-enclave";

/** The way to the private transaction manager that `--privacy-url` names. */
export const tessera = defineService<EnclaveLink>("enclave-tessera.link", {
  hint: "@plinth/plugin-enclave-tessera",
});
