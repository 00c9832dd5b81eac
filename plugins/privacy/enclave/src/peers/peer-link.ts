import { EnclaveError } from "@plinth/kit-enclave";
import type { Caller } from "./caller.js";

/** What one manager asks of another. */
export interface PeerLink {
  /** Answers the status and the body; throws `Unreachable` where there is no answer. */
  post(url: string, path: string, body: Uint8Array, settings?: PostSettings): Promise<PeerAnswer>;
}

/** How something is asked that is not like the rest. */
export interface PostSettings {
  /** Of the body; bytes when left out. */
  readonly type?: string;
  readonly timeoutMs?: number;
  /** Of what is answered; 64 KiB when left out. */
  readonly maxAnswerBytes?: number;
}

export interface PeerAnswer {
  readonly status: number;
  readonly body: Uint8Array;
  /** Who answered. */
  readonly from: Caller;
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
