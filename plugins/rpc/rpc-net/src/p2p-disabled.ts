import { RpcError } from "@plinth/core";

/** The error of methods that need P2P on a node without it. */
export function p2pDisabled(): RpcError {
  return new RpcError(-32000, "P2P has been disabled. This functionality is not available");
}
