/** A refusal, with the status and the text that Tessera answers in its place. */
export class EnclaveError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "EnclaveError";
    this.status = status;
  }
}

/** Bytes of a peer that are not what they should be. */
export class MalformedBytes extends EnclaveError {
  constructor(message: string) {
    super(400, message);
    this.name = "MalformedBytes";
  }
}
