import { RpcError } from "../rpc/errors.js";

/** A job was broken off: its caller has left, its time is up, or others wait. */
export class JobCancelled extends RpcError {
  constructor() {
    super(-32603, "the caller has left");
  }
}
