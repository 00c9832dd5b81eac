import { EnclaveError } from "@plinth/kit-enclave";

/** Malformed bytes from a peer. */
export class MalformedBytes extends EnclaveError {
  constructor(message: string) {
    super(400, message);
    this.name = "MalformedBytes";
  }
}
