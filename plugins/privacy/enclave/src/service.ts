import { defineService } from "@plinth/core";
import type { EnclaveLink } from "@plinth/kit-enclave";
import type { Manager } from "./manager.js";

/** What a node asks of its private transaction manager. */
export type Enclave = Pick<Manager, "payloads" | "groups" | "publicKeys" | "status"> & {
  /** The way to it that a node takes to one outside, too. */
  readonly link: EnclaveLink;
};

/** The private transaction manager of this node. */
export const enclave = defineService<Enclave>("enclave", { hint: "--enclave-config-file" });
