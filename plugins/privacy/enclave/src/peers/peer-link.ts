import { EnclaveError } from "@plinth/kit-enclave";
import type { Caller } from "./caller.js";

/** Requests from one manager to another. */
export interface PeerLink {
  /** Returns the status and the body; throws `Unreachable` if there is no response. */
  post(url: string, path: string, body: Uint8Array, settings?: PostSettings): Promise<PeerAnswer>;
}

/** Options of a request. */
export interface PostSettings {
  /** Content type of the body; bytes by default. */
  readonly type?: string;
  readonly timeoutMs?: number;
  /** Size limit of the response; 64 KiB by default. */
  readonly maxAnswerBytes?: number;
}

export interface PeerAnswer {
  readonly status: number;
  readonly body: Uint8Array;
  /** Who answered. */
  readonly from: Caller;
}

/** A manager that did not respond. */
export class Unreachable extends EnclaveError {
  readonly url: string;

  constructor(url: string, cause: unknown) {
    super(410, `Connection error while communicating with ${url}`);
    this.name = "Unreachable";
    this.url = url;
    this.cause = cause;
  }
}
