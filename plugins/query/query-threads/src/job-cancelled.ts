import { RpcError } from "@plinth/core";

/** A job was broken off. The caller sees this only when it has left: for any other reason the job begins again or is too late. */
export class JobCancelled extends RpcError {
  constructor() {
    super(-32603, "the caller has left");
  }
}
