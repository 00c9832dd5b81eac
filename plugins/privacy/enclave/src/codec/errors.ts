import { EnclaveError } from "@plinth/kit-enclave";

/** Bytes of a peer that are not what they should be. */
export class MalformedBytes extends EnclaveError {
  constructor(message: string) {
    super(400, message);
    this.name = "MalformedBytes";
  }
}
