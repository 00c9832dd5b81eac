import { RpcError } from "@plinth/core";

/**
 * A job was aborted. The caller sees this only if it has left: otherwise the job is restarted or
 * timed out.
 */
export class JobCanceled extends RpcError {
  constructor() {
    super(-32603, "the caller has left");
  }
}
