import { RpcError } from "@plinth/core";

/** The answer of methods that need peers on a node without any. */
export function p2pDisabled(): RpcError {
  return new RpcError(-32000, "P2P has been disabled. This functionality is not available");
}
