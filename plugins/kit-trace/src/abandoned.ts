import { RpcError } from "@plinth/core";

/** Nobody wants the rest; no fault of the node's that an operator should read about. */
export class Abandoned extends RpcError {
  constructor() {
    super(-32603, "the caller has left");
    this.name = "Abandoned";
  }
}
