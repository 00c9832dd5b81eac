/** A rejection, with the status and the text of Tessera. */
export class EnclaveError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "EnclaveError";
    this.status = status;
  }
}
