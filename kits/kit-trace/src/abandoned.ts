import { RpcError } from "@plinth/core";

/** The caller disconnected; not an error of the node, so it is not logged. */
export class Abandoned extends RpcError {
  constructor() {
    super(-32603, "the caller has left");
    this.name = "Abandoned";
  }
}
