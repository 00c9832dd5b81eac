/** A refusal, with the status and the text that Tessera answers in its place. */
export class EnclaveError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "EnclaveError";
    this.status = status;
  }
}
