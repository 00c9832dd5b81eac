import { defineService } from "@plinth/core";
import type { EnclaveLink } from "@plinth/kit-enclave";
import type { Manager } from "./manager.js";

/** The private transaction manager as seen by its node. */
export type Enclave = Pick<Manager, "payloads" | "groups" | "publicKeys" | "status"> & {
  /** The same link that a node uses for a remote manager. */
  readonly link: EnclaveLink;
};

/** The private transaction manager of this node. */
export const enclave = defineService<Enclave>("enclave", { hint: "--enclave-config-file" });
