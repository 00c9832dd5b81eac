import { EnclaveError } from "./errors.js";

/** What one manager asks of another. */
export interface PeerLink {
  /** Answers the status and the body; throws `Unreachable` where there is no answer. */
  post(url: string, path: string, body: Uint8Array): Promise<PeerAnswer>;
}

export interface PeerAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/** A manager that did not answer. */
export class Unreachable extends EnclaveError {
  readonly url: string;

  constructor(url: string, cause: unknown) {
    super(410, `Connection error while communicating with ${url}`);
    this.name = "Unreachable";
    this.url = url;
    this.cause = cause;
  }
}
